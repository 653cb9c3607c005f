//! The routing workload that engines are measured on: see `README.md` beside this crate.
//!
//! Panics where its own files are damaged: it is for tests and benchmarks only.

pub mod bind;
pub mod road;
pub mod rows;
pub mod walk;

use serde_json::Value;

/// How many roads the policy has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// 24 roads.
    Small,
    /// 1,000 roads.
    Large,
}

impl Size {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Small, Self::Large];

    /// Number of roads.
    #[must_use]
    pub fn roads(self) -> usize {
        match self {
            Self::Small => 24,
            Self::Large => 1_000,
        }
    }
}

/// A condition on facts. Facts are numbers: their places in [`Workload`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// A bool has this value.
    Bool(usize, bool),
    /// An enum has one of these values, as a mask.
    In(usize, u16),
    /// The set has a label.
    Has(usize),
    /// An int is at least this.
    AtLeast(usize, u8),
    /// Not.
    Not(Box<Condition>),
    /// All.
    And(Vec<Condition>),
    /// Any.
    Or(Vec<Condition>),
}

/// A named conjunction: a road, or a reason of refusal.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Name.
    pub name: String,
    /// All of these hold.
    pub all: Vec<Condition>,
}

/// The policy at one size.
#[derive(Debug, Clone)]
pub struct Workload {
    /// Size.
    pub size: Size,
    /// Names of the bools.
    pub bools: Vec<String>,
    /// Names of the enums, each with its values.
    pub enums: Vec<(String, Vec<String>)>,
    /// Name of the only set.
    pub set: String,
    /// Its labels.
    pub labels: Vec<String>,
    /// Names of the ints, each with its least and greatest value.
    pub ints: Vec<(String, u8, u8)>,
    /// Roads.
    pub roads: Vec<Rule>,
    /// The enum that picks the order of preference.
    pub by: usize,
    /// The order per value of that enum: places of roads.
    pub orders: Vec<Vec<usize>>,
    /// Reasons of refusal; the last one always holds.
    pub refusals: Vec<Rule>,
}

impl Workload {
    /// Reads the policy of a size.
    ///
    /// # Panics
    /// If the file in `data` is damaged.
    #[must_use]
    pub fn new(size: Size) -> Self {
        let text = match size {
            Size::Small => include_str!("../data/roads-24.json"),
            Size::Large => include_str!("../data/roads-1000.json"),
        };
        let json: Value = serde_json::from_str(text).expect("the workload is JSON");
        let facts = &json["facts"];
        let enums: Vec<_> = list(&facts["enum"]).iter().map(|e| (word(&e["name"]), words(&e["values"]))).collect();
        let by = word(&json["preference_fact"]);
        let by = enums.iter().position(|e| e.0 == by).expect("an enum picks the order");
        let mut made = Self {
            size,
            bools: words(&facts["bool"]),
            enums,
            set: "labels".to_owned(),
            labels: words(&facts["set"]["labels"]),
            ints: list(&facts["int"]).iter().map(|i| (word(&i["name"]), byte(&i["min"]), byte(&i["max"]))).collect(),
            roads: Vec::new(),
            by,
            orders: Vec::new(),
            refusals: Vec::new(),
        };
        made.orders = made.enums[by].1.iter().map(|value| places(&json["preference"][value])).collect();
        made.roads = list(&json["roads"]).iter().map(|r| made.rule(r, "name")).collect();
        made.refusals = list(&json["refuse"]).iter().map(|r| made.rule(r, "reason")).collect();
        made
    }

    fn rule(&self, json: &Value, name: &str) -> Rule {
        Rule { name: word(&json[name]), all: list(&json["all"]).iter().map(|c| self.condition(c)).collect() }
    }

    fn condition(&self, json: &Value) -> Condition {
        let all = |from: usize| list(json)[from..].iter().map(|c| self.condition(c)).collect();
        let not = |c| Condition::Not(Box::new(c));
        let find = |names: &[String]| place(names, &word(&json[1]));
        let int = |json: &Value| self.ints.iter().position(|i| i.0 == word(json)).expect("an int");
        match word(&json[0]).as_str() {
            "bool" => Condition::Bool(find(&self.bools), json[2].as_bool().expect("a bool's value")),
            "in" => {
                let fact = self.enums.iter().position(|e| e.0 == word(&json[1])).expect("an enum");
                let values = words(&json[2]);
                Condition::In(fact, values.iter().map(|v| 1 << place(&self.enums[fact].1, v)).sum())
            }
            "has" => Condition::Has(find(&self.labels)),
            "lacks" => not(Condition::Has(find(&self.labels))),
            "ge" => Condition::AtLeast(int(&json[1]), byte(&json[2])),
            "lt" => not(Condition::AtLeast(int(&json[1]), byte(&json[2]))),
            "not" => not(self.condition(&json[1])),
            "and" => Condition::And(all(1)),
            "or" => Condition::Or(all(1)),
            other => panic!("no condition is called {other}"),
        }
    }

    /// The outcome by a plain walk of the rules: what every engine is compared with, beside the recorded outcome.
    #[must_use]
    pub fn decide(&self, row: &rows::Row) -> usize {
        let all = |rule: &Rule| rule.all.iter().all(|c| c.holds(row));
        let order = &self.orders[usize::from(row.enums[self.by])];
        let road = order.iter().copied().find(|i| all(&self.roads[*i]));
        let refusal = || self.refusals.iter().position(all).map_or(self.roads.len(), |i| self.roads.len() + i);
        road.unwrap_or_else(refusal)
    }

    /// The name of an outcome: a road, or a reason.
    #[must_use]
    pub fn name(&self, outcome: usize) -> &str {
        let rule = self.roads.iter().chain(&self.refusals).nth(outcome);
        rule.map_or("nothing", |r| &r.name)
    }
}

impl Condition {
    /// Whether it holds for an input.
    #[must_use]
    pub fn holds(&self, row: &rows::Row) -> bool {
        match self {
            Self::Bool(fact, value) => row.bool(*fact) == *value,
            Self::In(fact, values) => values >> row.enums[*fact] & 1 == 1,
            Self::Has(label) => row.labels >> label & 1 == 1,
            Self::AtLeast(fact, least) => row.ints[*fact] >= *least,
            Self::Not(c) => !c.holds(row),
            Self::And(all) => all.iter().all(|c| c.holds(row)),
            Self::Or(any) => any.iter().any(|c| c.holds(row)),
        }
    }
}

fn list(json: &Value) -> &[Value] {
    json.as_array().expect("a list")
}

fn word(json: &Value) -> String {
    json.as_str().expect("a word").to_owned()
}

fn words(json: &Value) -> Vec<String> {
    list(json).iter().map(word).collect()
}

fn byte(json: &Value) -> u8 {
    json.as_u64().and_then(|n| u8::try_from(n).ok()).expect("a small number")
}

fn places(json: &Value) -> Vec<usize> {
    list(json).iter().map(|n| n.as_u64().and_then(|n| usize::try_from(n).ok()).expect("a place")).collect()
}

fn place(names: &[String], wanted: &str) -> usize {
    names.iter().position(|n| n == wanted).expect("a declared name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_walk_reaches_the_recorded_outcomes() {
        let rows = rows::rows();
        assert_eq!(rows.len(), 10_000);
        for size in Size::ALL {
            let workload = Workload::new(size);
            assert_eq!(workload.roads.len(), size.roads());
            for (i, row) in rows.iter().enumerate() {
                assert_eq!(workload.decide(row), row.expected(size), "input {i} at {} roads", size.roads());
            }
        }
    }

    /// The inputs are worth measuring: every outcome of the small policy occurs.
    #[test]
    fn every_outcome_of_the_small_policy_occurs() {
        let seen: std::collections::BTreeSet<_> = rows::rows().iter().map(|r| r.expected(Size::Small)).collect();
        assert_eq!(seen.len(), 24 + 4);
    }

    #[test]
    fn nothing_is_eligible_for_any_of_the_worst_inputs() {
        let worst = rows::nothing_eligible();
        assert_eq!(worst.iter().collect::<std::collections::BTreeSet<_>>().len(), 1_000);
        for size in Size::ALL {
            let workload = Workload::new(size);
            for row in &worst {
                assert_eq!(workload.decide(row), row.expected(size));
                assert!(size == Size::Small || row.expected(size) >= 1_000);
            }
        }
    }
}

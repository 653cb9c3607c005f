//! Reduced ordered binary decision diagrams (R. E. Bryant, Graph-Based Algorithms for Boolean Function Manipulation,
//! IEEE Transactions on Computers, 1986), as much of them as the checker needs.
//!
//! Nodes are shared and never freed. Beyond the limit every answer is [`TooLarge`], never a wrong one.

use std::collections::{BTreeMap, BTreeSet};

/// A set of assignments. What it holds is seen only through [`Diagrams::never`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Set(u32);

/// The checker's diagrams grew beyond its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// Nodes beyond which the checker gives up.
const LIMIT: usize = 3_000_000;

/// All diagrams of one question.
pub(super) struct Diagrams {
    /// Variable, where it is true, where it is false.
    nodes: Vec<(u32, Set, Set)>,
    unique: BTreeMap<(u32, Set, Set), Set>,
    choices: BTreeMap<(Set, Set, Set), Set>,
    full: bool,
}

impl Diagrams {
    /// Nothing.
    pub(super) const NONE: Set = Set(0);
    /// Everything.
    pub(super) const ALL: Set = Set(1);

    pub(super) fn new() -> Self {
        let leaf = (u32::MAX, Self::NONE, Self::NONE);
        Self { nodes: vec![leaf, leaf], unique: BTreeMap::new(), choices: BTreeMap::new(), full: false }
    }

    /// Nodes so far.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// From now on there is no answer.
    pub(super) fn give_up(&mut self) {
        self.full = true;
    }

    /// Whether no assignment is in the set.
    pub(super) fn never(&self, a: Set) -> Result<bool, TooLarge> {
        if self.full { Err(TooLarge) } else { Ok(a == Self::NONE) }
    }

    /// The assignments in which the variable is true.
    pub(super) fn variable(&mut self, v: u32) -> Set {
        self.node(v, Self::ALL, Self::NONE)
    }

    pub(super) fn and(&mut self, a: Set, b: Set) -> Set {
        self.choice(a, b, Self::NONE)
    }

    pub(super) fn or(&mut self, a: Set, b: Set) -> Set {
        self.choice(a, Self::ALL, b)
    }

    pub(super) fn not(&mut self, a: Set) -> Set {
        self.choice(a, Self::NONE, Self::ALL)
    }

    pub(super) fn without(&mut self, a: Set, b: Set) -> Set {
        let b = self.not(b);
        self.and(a, b)
    }

    fn node(&mut self, v: u32, yes: Set, no: Set) -> Set {
        if yes == no || self.full {
            return yes;
        }
        if let Some(known) = self.unique.get(&(v, yes, no)) {
            return *known;
        }
        if self.nodes.len() >= LIMIT {
            self.full = true;
            return yes;
        }
        let made = Set(crate::graph::narrow(self.nodes.len()));
        self.nodes.push((v, yes, no));
        self.unique.insert((v, yes, no), made);
        made
    }

    fn top(&self, a: Set) -> (u32, Set, Set) {
        self.nodes[a.0 as usize]
    }

    /// Both sides of a set, for a variable that is not below its own.
    fn split(&self, a: Set, v: u32) -> (Set, Set) {
        let (w, yes, no) = self.top(a);
        if w == v { (yes, no) } else { (a, a) }
    }

    /// `a` and `yes`, or not `a` and `no`.
    pub(super) fn choice(&mut self, a: Set, yes: Set, no: Set) -> Set {
        if a == Self::ALL || yes == no {
            return yes;
        }
        if a == Self::NONE {
            return no;
        }
        if yes == Self::ALL && no == Self::NONE {
            return a;
        }
        if let Some(known) = self.choices.get(&(a, yes, no)) {
            return *known;
        }
        if self.full {
            return a;
        }
        let v = self.top(a).0.min(self.top(yes).0).min(self.top(no).0);
        let (a1, a0) = self.split(a, v);
        let (y1, y0) = self.split(yes, v);
        let (n1, n0) = self.split(no, v);
        let high = self.choice(a1, y1, n1);
        let low = self.choice(a0, y0, n0);
        let made = self.node(v, high, low);
        self.choices.insert((a, yes, no), made);
        made
    }

    /// The assignments that are in the set for some values of these variables.
    pub(super) fn exists(&mut self, a: Set, variables: &BTreeSet<u32>) -> Set {
        if variables.is_empty() {
            return a;
        }
        self.exists_below(a, variables, &mut BTreeMap::new())
    }

    fn exists_below(&mut self, a: Set, variables: &BTreeSet<u32>, done: &mut BTreeMap<Set, Set>) -> Set {
        let (v, yes, no) = self.top(a);
        // Below the last of the variables nothing changes.
        if variables.last().is_none_or(|last| v > *last) || self.full {
            return a;
        }
        if let Some(known) = done.get(&a) {
            return *known;
        }
        let high = self.exists_below(yes, variables, done);
        let low = self.exists_below(no, variables, done);
        let made = if variables.contains(&v) { self.or(high, low) } else { self.node(v, high, low) };
        done.insert(a, made);
        made
    }

    /// The set with each of these variables read as the next one, of which it does not speak.
    pub(super) fn shifted(&mut self, a: Set, variables: &BTreeSet<u32>) -> Set {
        self.shifted_below(a, variables, &mut BTreeMap::new())
    }

    fn shifted_below(&mut self, a: Set, variables: &BTreeSet<u32>, done: &mut BTreeMap<Set, Set>) -> Set {
        if a == Self::ALL || a == Self::NONE || self.full {
            return a;
        }
        if let Some(known) = done.get(&a) {
            return *known;
        }
        let (v, yes, no) = self.top(a);
        let high = self.shifted_below(yes, variables, done);
        let low = self.shifted_below(no, variables, done);
        let made = self.node(if variables.contains(&v) { v + 1 } else { v }, high, low);
        done.insert(a, made);
        made
    }
}

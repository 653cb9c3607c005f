//! Rego by regorus: its interpreter and its virtual machine, each with the set of eligible roads and with a lazy chain.

use crate::measure::Engine;
use regorus::languages::rego::compiler::Compiler;
use regorus::rvm::vm::RegoVM;
use regorus::{Rc, Value};
use roadlaw_workload::rows::Row;
use roadlaw_workload::{Size, Workload};

const RULE: &str = "data.route.decision";

pub fn engines(rows: &[Row]) -> Result<Vec<Engine>, String> {
    let texts = [
        ("a set of roads", include_str!("../policies/set.rego")),
        ("a lazy chain", include_str!("../policies/chain.rego")),
    ];
    let mut all = Vec::new();
    for (form, text) in texts {
        let mut engine = regorus::Engine::new();
        engine.add_policy("route.rego".to_owned(), text.to_owned()).map_err(|e| e.to_string())?;
        let compiled = engine.compile_with_entrypoint(&Rc::from(RULE)).map_err(|e| e.to_string())?;
        let program = Compiler::compile_from_policy(&compiled, &[RULE]).map_err(|e| e.to_string())?;
        let interpret = move |input: &Value| {
            engine.set_input(input.clone());
            number(engine.eval_rule(RULE.to_owned()).ok())
        };
        all.push(named("interpreter", form, rows, interpret));
        let mut vm = RegoVM::new_with_policy(compiled);
        vm.load_program(program);
        let run = move |input: &Value| {
            vm.set_input(input.clone());
            number(vm.execute_entry_point_by_index(0).ok())
        };
        all.push(named("virtual machine", form, rows, run));
    }
    Ok(all)
}

fn named(by: &str, form: &str, rows: &[Row], decide: impl FnMut(&Value) -> usize + 'static) -> Engine {
    let w = Workload::new(Size::Small);
    let make = |row: &Row| Value::from(facts(&w, row));
    Engine::new(&format!("regorus 0.14, {by}, {form}"), Size::Small, rows, make, decide, |n| n)
}

fn number(value: Option<Value>) -> usize {
    value.and_then(|v| v.as_u64().ok()).and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX)
}

/// The input as JSON.
pub fn facts(w: &Workload, row: &Row) -> serde_json::Value {
    let bools = w.bools.iter().enumerate().map(|(i, name)| (name.clone(), row.bool(i).into()));
    let enums =
        w.enums.iter().zip(row.enums).map(|((name, values), v)| (name.clone(), values[usize::from(v)].clone().into()));
    let ints = w.ints.iter().zip(row.ints).map(|((name, ..), v)| (name.clone(), v.into()));
    let labels = (0..w.labels.len()).filter(|i| row.labels >> i & 1 == 1).map(|i| w.labels[i].clone());
    let labels = (w.set.clone(), labels.collect::<Vec<_>>().into());
    serde_json::Value::Object(bools.chain(enums).chain(ints).chain([labels]).collect())
}

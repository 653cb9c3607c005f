//! CEL: a program per road and per reason, run in the order of preference until one holds.

use crate::measure::Engine;
use cel::{Context, Program, Value};
use roadlaw_workload::rows::Row;
use roadlaw_workload::{Size, Workload};

pub fn engines(rows: &[Row]) -> Result<Vec<Engine>, String> {
    let w = Workload::new(Size::Small);
    let text = include_str!("../policies/roads.cel");
    let programs: Vec<Program> =
        text.lines().map(Program::compile).collect::<Result<_, _>>().map_err(|e| e.to_string())?;
    if programs.len() != w.roads.len() + w.refusals.len() {
        return Err("a CEL program for each road and reason is needed".to_owned());
    }
    // Contexts borrow the one that knows CEL's functions; it lives as long as the program.
    let functions: &'static Context<'static, 'static> = Box::leak(Box::default());
    let by = w.by;
    let orders = w.orders.clone();
    let context = move |row: &Row| {
        let mut c = functions.new_inner_scope();
        for (i, name) in w.bools.iter().enumerate() {
            c.add_variable_from_value(name.clone(), row.bool(i));
        }
        for ((name, values), value) in w.enums.iter().zip(row.enums) {
            c.add_variable_from_value(name.clone(), values[usize::from(value)].clone());
        }
        for ((name, ..), value) in w.ints.iter().zip(row.ints) {
            c.add_variable_from_value(name.clone(), i64::from(value));
        }
        let labels = (0..w.labels.len()).filter(|i| row.labels >> i & 1 == 1).map(|i| w.labels[i].clone());
        c.add_variable_from_value(w.set.clone(), labels.collect::<Vec<_>>());
        (usize::from(row.enums[by]), c)
    };
    let decide = move |(tier, context): &(usize, Context<'static, 'static>)| {
        let holds = |i: &usize| matches!(programs[*i].execute(context), Ok(Value::Bool(true)));
        let order = orders[*tier].iter().copied();
        order.chain(24..programs.len()).find(holds).unwrap_or(usize::MAX)
    };
    Ok(vec![Engine::new("cel 0.15, a program per road", Size::Small, rows, context, decide, |n| n)])
}

//! The worst case as `check` shows it: a table of figures, then the runs that reach them.

use super::style;
use roadlaw_compiler::prove::worst::{Cost, NO_LIMIT, Worst, duration};

/// A measure: its word in the model, the heading of its column, and how a figure is written.
type Column = (&'static str, &'static str, fn(i64) -> String);

/// What is shown, in order.
const COLUMNS: [Column; 7] = [
    ("transmissions", "sent", plain),
    ("requests", "requests", plain),
    ("tokens_in", "tokens in", plain),
    ("tokens_out", "tokens out", plain),
    ("tokens", "tokens", plain),
    ("spend", "cents", plain),
    ("time", "time", duration),
];

/// A row for the run, one for each road that is used, then runs that reach the figures of the first row.
pub(crate) fn rows(w: &Worst) -> Vec<String> {
    let mut table: Vec<Vec<String>> = Vec::new();
    table.push(std::iter::once("").chain(COLUMNS.iter().map(|(_, heading, _)| *heading)).map(str::to_owned).collect());
    let run = COLUMNS.map(|(measure, _, written)| written(w.most(measure).unwrap_or(0)));
    table.push(std::iter::once("a run".to_owned()).chain(run).collect());
    for r in w.roads.iter().flatten().filter(|r| r.uses > 0) {
        let figures = COLUMNS.iter().zip(of(&r.cost)).map(|((_, _, written), n)| written(n));
        table.push(std::iter::once(style::plain(&r.road).to_string()).chain(figures).collect());
    }
    let width = |i: usize| table.iter().map(|r| r[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..=COLUMNS.len()).map(width).collect();
    let mut out = vec![if w.exact {
        "worst case, whatever the facts:".to_owned()
    } else {
        "worst case, whatever the facts, or less (more than 20000 combinations, so that roads are only counted):"
            .to_owned()
    }];
    out.extend(table.iter().map(|row| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells =
            cells.map(|(i, (text, width))| if i == 0 { format!("{text:width$}") } else { format!("{text:>width$}") });
        format!("  {}", cells.collect::<Vec<_>>().join("  "))
    }));
    // Several figures may be reached by one run.
    for (i, path) in w.paths.iter().enumerate() {
        let reached = |measure: &str| w.run.iter().any(|f| f.measure == measure && f.path == Some(i));
        let figures: Vec<&str> = COLUMNS.iter().filter(|(m, ..)| reached(m)).map(|(_, heading, _)| *heading).collect();
        if !figures.is_empty() {
            let all = figures.len() == w.run.iter().filter(|f| f.path.is_some()).count();
            let most = if all { "all".to_owned() } else { figures.join(", ") };
            out.push(format!("  most {most}: {}", style::plain(&path.brief)));
        }
    }
    out
}

fn of(c: &Cost) -> [i64; 7] {
    [c.transmissions, c.requests, c.tokens_in, c.tokens_out, c.tokens, c.spend, c.time]
}

fn plain(n: i64) -> String {
    if n == NO_LIMIT { "no limit".to_owned() } else { n.to_string() }
}

#[cfg(test)]
mod tests {
    use super::plain;
    use roadlaw_compiler::prove::worst::{NO_LIMIT, duration};

    #[test]
    fn durations_lose_nothing() {
        assert_eq!(duration(0), "0s");
        assert_eq!(duration(90_500), "1m 30s 500ms");
        assert_eq!(duration(604_800_000), "7d");
    }

    #[test]
    fn what_nothing_bounds_is_no_number() {
        assert_eq!((plain(NO_LIMIT), duration(NO_LIMIT)), ("no limit".to_owned(), "no limit".to_owned()));
        assert_eq!(plain(5000), "5000");
    }
}

//! One way to measure every engine: agreement first, then allocations, then times.

use roadlaw_workload::rows::Row;
use roadlaw_workload::{Size, Workload};
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

/// The system's allocator, counting.
pub struct Counting;

// SAFETY: every call is handed to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(at, layout, size) }
    }
}

/// What a pass does: decides every input, and keeps what came out if it is asked for.
type Pass = Box<dyn FnMut(Option<&mut Vec<usize>>)>;

/// An engine with its inputs, ready to decide.
pub struct Engine {
    pub name: String,
    pub size: Size,
    inputs: usize,
    expected: Vec<usize>,
    pass: Pass,
    allocations: f64,
    /// Nanoseconds per decision, one for each pass.
    times: Vec<f64>,
}

impl Engine {
    /// `inputs` are built beforehand; `decide` answers with any number, and `outcome` says which outcome that is.
    pub fn new<I: 'static>(
        name: &str,
        size: Size,
        rows: &[Row],
        make: impl FnMut(&Row) -> I,
        mut decide: impl FnMut(&I) -> usize + 'static,
        outcome: impl Fn(usize) -> usize + 'static,
    ) -> Self {
        let inputs: Vec<I> = rows.iter().map(make).collect();
        let pass = move |out: Option<&mut Vec<usize>>| match out {
            Some(out) => out.extend(inputs.iter().map(|i| outcome(decide(i)))),
            None => {
                let mut sum = 0_usize;
                for input in &inputs {
                    sum = sum.wrapping_add(decide(input));
                }
                black_box(sum);
            }
        };
        Self {
            name: name.to_owned(),
            size,
            inputs: rows.len(),
            expected: rows.iter().map(|r| r.expected(size)).collect(),
            pass: Box::new(pass),
            allocations: 0.0,
            times: Vec::new(),
        }
    }

    /// Every input has the outcome that is due.
    fn agree(&mut self, workload: &Workload) -> Result<(), String> {
        let mut found = Vec::with_capacity(self.inputs);
        (self.pass)(Some(&mut found));
        match found.iter().zip(&self.expected).position(|(a, b)| a != b) {
            None if found.len() == self.inputs => Ok(()),
            None => Err(format!("{}: decided {} of {} inputs", self.name, found.len(), self.inputs)),
            Some(i) => {
                let (is, due) = (workload.name(found[i]), workload.name(self.expected[i]));
                Err(format!("{}: input {i} is decided `{is}`, and `{due}` is due", self.name))
            }
        }
    }

    fn per_decision(&self, total: f64) -> f64 {
        total / f64::from(u32::try_from(self.inputs).expect("few inputs"))
    }

    /// Times a pass. Another goes before it: caches then hold what this engine left in them, not what the last one did.
    fn time(&mut self) -> Duration {
        (self.pass)(None);
        let start = Instant::now();
        (self.pass)(None);
        let took = start.elapsed();
        self.times.push(self.per_decision(took.as_secs_f64() * 1e9));
        took
    }
}

/// Measures all engines: those that agree with what is due. They take turns, so that what else the machine does meets all.
pub fn measure(engines: &mut [Engine]) -> Result<(), String> {
    let workloads = Size::ALL.map(Workload::new);
    for engine in engines.iter_mut() {
        eprintln!("checking {}", engine.name);
        engine.agree(&workloads[usize::from(engine.size == Size::Large)])?;
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        (engine.pass)(None);
        let counted = u32::try_from(ALLOCATIONS.load(Ordering::Relaxed) - before).map_err(|e| e.to_string())?;
        engine.allocations = engine.per_decision(f64::from(counted));
    }
    // Slow engines pass less often: 60 passes, or what fits into two seconds, but three at least.
    let mut spent = vec![Duration::ZERO; engines.len()];
    for round in 0..60 {
        for (engine, spent) in engines.iter_mut().zip(&mut spent) {
            if round < 3 || *spent < Duration::from_secs(2) {
                *spent += engine.time();
            }
        }
    }
    Ok(())
}

/// The Markdown table.
pub fn report(engines: &mut [Engine]) {
    println!("| engine | roads | min ns | median ns | passes | allocations |\n|---|---|---|---|---|---|");
    for engine in engines {
        engine.times.sort_by(f64::total_cmp);
        let (min, median) = (engine.times[0], engine.times[engine.times.len() / 2]);
        let digits = if min < 1_000.0 { 1 } else { 0 };
        println!(
            "| {} | {} | {min:.digits$} | {median:.digits$} | {} | {:.0} |",
            engine.name,
            engine.size.roads(),
            engine.times.len(),
            engine.allocations
        );
    }
}

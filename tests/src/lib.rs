//! Runs the program the way a user does: in a folder, with arguments and standard input, and looks at what comes out.

pub mod differential;
pub mod pairs;
pub mod reference;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A whole policy that is proved; tests break it in one place.
pub const SHORTEST: &str = r#"edition 1
/// First eligible model in order; labelled data never leaves this machine.
policy app.ask@1 {
  use std.first
  pins { pattern "ask@1" spell "ask" placement "any" purpose "answer" input "q@1" output "a@1" error "e@1" noncompletion "n@1" }
  facts { sealed labels : set { personal, secret, client } }
  let labelled = not labels empty  as local_only
  limits one { deadline 30s requests 1 tokens 4_000 in 1_000 out 5_000 total concurrency 1 spend 5 cents retries 0 fanout 1 rounds 1 uses 1 }
  target gpt : portal { provider "openai" service "api" model "gpt-5" operation "chat" origin "https://api.example" path "/v1/chat"
                        region us custody direct retention none training none evidence verified }
  road llama : native local_model { limits one { spend 0 } }
  road gpt   : native portal to gpt with { prompt: instructions } { limits one filters { use std.filters.portal } }
  flow std.first(llama, gpt)
  never send(any) when labelled
  test "labelled stays" std.clear { labels { client }, not available[llama] } => pending_no_road because gpt: local_only
}
"#;

/// What a run left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Exit code; -1 where a signal ended it, which no test accepts.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Run {
    /// Standard output as JSON; null where it is none.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_default()
    }

    /// Codes of the diagnostics of a JSON answer, sorted, each once.
    #[must_use]
    pub fn codes(&self) -> Vec<String> {
        let json = self.json();
        let list = json["diagnostics"].as_array().cloned().unwrap_or_default();
        let errors = list.iter().filter(|d| d["severity"] == "error");
        let mut codes: Vec<_> = errors.filter_map(|d| d["code"].as_str().map(str::to_owned)).collect();
        codes.sort();
        codes.dedup();
        codes
    }
}

/// The program, to be run in one folder.
#[derive(Debug, Clone)]
pub struct Program {
    path: PathBuf,
    folder: PathBuf,
}

impl Program {
    /// `path` is the program, `folder` where it is run.
    #[must_use]
    pub fn new(path: &str, folder: &Path) -> Self {
        Self { path: PathBuf::from(path), folder: folder.to_owned() }
    }

    /// Runs it with no input.
    ///
    /// # Panics
    /// If the program cannot be started.
    #[must_use]
    pub fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, b"")
    }

    /// Runs it with input.
    ///
    /// # Panics
    /// If the program cannot be started.
    #[must_use]
    pub fn run_with(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut child = Command::new(&self.path)
            .args(arguments)
            .current_dir(&self.folder)
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // A program that does not read its input closes the pipe: that is its right.
        let _ = child.stdin.take().map(|mut pipe| pipe.write_all(input));
        let output = child.wait_with_output().expect("the program ends");
        Run {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// The folder of the repository.
#[must_use]
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

/// The `.road` files of a folder of the repository, sorted.
#[must_use]
pub fn policies(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(repository().join(folder)).into_iter().flatten();
    let mut files: Vec<_> =
        entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.extension().is_some_and(|e| e == "road")).collect();
    files.sort();
    files
}

/// Compares with the golden file `tests/golden/NAME`, or writes it where `UPDATE_GOLDEN=1` is set.
///
/// # Errors
/// What differs, and how to accept it.
pub fn golden(name: &str, actual: &str) -> Result<(), String> {
    golden_at(&repository().join("tests/golden").join(name), actual)
}

/// The same for a golden file anywhere in the repository.
///
/// # Errors
/// What differs, and how to accept it.
pub fn golden_at(path: &Path, actual: &str) -> Result<(), String> {
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|v| v == "1") {
        return std::fs::write(path, actual).map_err(|e| format!("cannot write {}: {e}", path.display()));
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    let line = expected.lines().zip(actual.lines()).position(|(a, b)| a != b);
    let line = line.unwrap_or_else(|| expected.lines().count().min(actual.lines().count()));
    Err(format!(
        "{} differs from line {} on\n  expected: {}\n  actual:   {}\nset UPDATE_GOLDEN=1 to accept",
        path.strip_prefix(repository()).unwrap_or(path).display(),
        line + 1,
        expected.lines().nth(line).unwrap_or("(end)"),
        actual.lines().nth(line).unwrap_or("(end)"),
    ))
}

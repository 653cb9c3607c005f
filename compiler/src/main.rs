//! The `roadlaw` program: checks policies, builds tables, decides with them. All of it is in the library, so that tests and
//! fuzzing reach what reads facts and events.

fn main() -> std::process::ExitCode {
    roadlaw_compiler::program::run()
}

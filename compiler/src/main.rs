//! The `roadlaw` program: checks policies, builds tables, decides with them. Everything it knows comes from the
//! libraries; here are only arguments, files and rendering.

mod program;

fn main() -> std::process::ExitCode {
    program::run()
}

//! The `roadlaw` program.
fn main() {}

//! The committed header is what cbindgen makes of the source.

use std::path::Path;

#[test]
fn the_header_is_that_of_the_source() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("cbindgen.toml");
    let sources =
        ["status", "table", "facts", "choose", "run"].map(|m| folder.join("src").join(m).with_extension("rs"));
    let builder = sources.iter().fold(cbindgen::Builder::new().with_config(config), |b, s| b.with_src(s));
    let mut made = Vec::new();
    builder.generate().expect("a header").write(&mut made);
    let made = String::from_utf8(made).expect("text");
    let path = folder.join("include/roadlaw.h");
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|v| v == "1") {
        std::fs::write(&path, &made).expect("the header can be written");
    }
    let committed = std::fs::read_to_string(&path).expect("the header");
    assert!(committed == made, "set UPDATE_GOLDEN=1 to bring include/roadlaw.h up to date");
    assert!(made.contains("roadlaw_run_advance") && made.contains("ROADLAW_STATUS_STALE_FACTS"));
}

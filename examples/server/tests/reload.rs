//! The server under load while tables of all kinds are dropped in: what is not a newer, whole, signed table changes nothing and is
//! reported; what is, takes over between two requests.
//!
//! Tables are built by the program `roadlaw` itself: the one that `ROADLAW` names, or the one that was last built in this
//! repository. Without it the tests fail.

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{EncodePrivateKey, EncodePublicKey};
use roadlaw_example_server::live::{Live, Source};
use roadlaw_example_server::load;
use roadlaw_example_server::policy::{Rejected, Trust};
use roadlaw_example_server::serve;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpListener;

const PICK: &str = include_str!("../../pick-model.road");
const FIRST: &str = include_str!("../../first-eligible.road");
/// A paying customer: `big` by the policy as it stands.
const PAYS: &str = r#"{ "tier": "pro", "private": false, "up": { "small": true, "big": true } }"#;

fn roadlaw() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let modified = |p: &PathBuf| fs::metadata(p).and_then(|m| m.modified()).ok();
    let built = ["release/roadlaw", "debug/roadlaw"].map(|p| target.join(p));
    std::env::var_os("ROADLAW")
        .map(PathBuf::from)
        .or_else(|| built.into_iter().filter(|p| p.exists()).max_by_key(modified))
        .expect("the program roadlaw: build it with `cargo build -p roadlaw-compiler`, or name it in ROADLAW")
}

/// A folder to build and sign tables in, and the one that the server looks at.
struct Bench {
    folder: TempDir,
    keys: [SigningKey; 2],
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self { folder, keys: [[7; 32], [8; 32]].map(|k| SigningKey::from_bytes(&k)) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str]) {
        let out = Command::new(roadlaw()).current_dir(self.folder.path()).args(arguments).output().expect("it starts");
        assert!(out.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    }

    fn table(&self, policy: &str, more: &[&str]) -> Vec<u8> {
        fs::write(self.path("p.road"), policy).expect("written");
        self.run(&[&["build", "p.road", "-o", "p.table"], more].concat());
        fs::read(self.path("p.table")).expect("a table")
    }

    fn signature(&self, table: &[u8], key: usize, epoch: u64) -> Vec<u8> {
        let pem = self.keys[key].to_pkcs8_pem(LineEnding::LF).expect("a key");
        fs::write(self.path("key.pem"), pem.as_bytes()).expect("written");
        fs::write(self.path("s.table"), table).expect("written");
        self.run(&["sign", "s.table", "--key", "key.pem", "--epoch", &epoch.to_string(), "-o", "s.sig"]);
        fs::read(self.path("s.sig")).expect("a signature")
    }

    fn source(&self, trust: Trust) -> Source {
        Source { table: self.path("live.table"), trust, least: 0, keep: None, poll: Duration::from_millis(5) }
    }

    /// The program itself, until it says where it listens, or its exit code and what it says on its way out.
    fn spawn(&self, more: &[&str]) -> Result<(Child, SocketAddr), (Option<i32>, String)> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_roadlaw-example-server"))
            .current_dir(self.folder.path())
            .args(["live.table", "--listen", "127.0.0.1:0", "--poll", "5"])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("text");
        if let Some((_, address)) = line.trim_end().rsplit_once("http://") {
            return Ok((child, address.parse().expect("an address")));
        }
        let out = child.wait_with_output().expect("it ends");
        Err((out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned()))
    }

    fn key(&self) -> Trust {
        Trust::Key(self.keys[0].verifying_key().to_bytes())
    }

    /// The signature first, each renamed into place: never a table with a signature that fits another.
    fn drop_in(&self, table: &[u8], signature: &[u8]) {
        for (name, bytes) in [("live.table.sig", signature), ("live.table", table)] {
            fs::write(self.path("new"), bytes).expect("written");
            fs::rename(self.path("new"), self.path(name)).expect("renamed");
        }
    }
}

async fn started(source: Source) -> SocketAddr {
    let live = Live::open(source).await.expect("a first policy");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(serve(listener, Arc::new(live), std::future::pending()));
    address
}

async fn policy(at: SocketAddr) -> Value {
    let (status, body) = load::once(at, "GET", "/policy", "").await.expect("an answer");
    assert_eq!(status, 200);
    serde_json::from_str(&body).expect("JSON")
}

async fn ask(at: SocketAddr, facts: &str) -> (u16, Value) {
    let (status, body) = load::once(at, "POST", "/decide", facts).await.expect("an answer");
    (status, serde_json::from_str(&body).expect("JSON"))
}

/// Waits until the server says so of its policy, or fails with what it says.
async fn until(at: SocketAddr, what: &str, is: impl Fn(&Value) -> bool) -> Value {
    let mut said = Value::Null;
    for _ in 0..2_000 {
        said = policy(at).await;
        if is(&said) {
            return said;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{what}: {said}");
}

/// A number of the metrics, by its name with labels.
async fn counted(at: SocketAddr, name: &str) -> u64 {
    let (_, text) = load::once(at, "GET", "/metrics", "").await.expect("an answer");
    let line = text.lines().find(|l| l.rsplit_once(' ').is_some_and(|(n, _)| n == name));
    line.and_then(|l| l.rsplit(' ').next()?.parse().ok()).unwrap_or(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_tables_change_nothing_under_load_and_a_newer_one_takes_over_whole() {
    let b = Bench::new();
    let one = b.table(PICK, &[]);
    // A paying customer gets the small one: an answer tells which policy gave it.
    let two = b.table(&PICK.replace("pro  : order big, small", "pro  : order small, big"), &[]);
    assert_ne!(one, two);
    let stripped = b.table(&PICK.replace("pro  : order big, small", "pro  : order small, big"), &["--strip"]);
    let [first, older, same, newer] = [(&one, 4), (&two, 3), (&two, 4), (&two, 5)].map(|(t, e)| b.signature(t, 0, e));
    let others = b.signature(&two, 1, 9);
    let nameless = b.signature(&stripped, 0, 9);
    b.drop_in(&one, &first);
    let at = started(b.source(b.key())).await;
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let loaded = tokio::spawn(async move {
        let mut all = load::Figures::default();
        while !*stopped.borrow() {
            all.add(load::ask(at, PAYS, 4, Duration::from_millis(200)).await?);
        }
        std::io::Result::Ok(all)
    });

    let mut bad: Vec<(&str, String, Vec<u8>, Vec<u8>)> = Vec::new();
    // Another policy cut off at every part of it, as a writer leaves it that died; with a signature that fits it whole.
    for part in 0..12 {
        let cut = two.len() * part / 12;
        bad.push(("damaged", format!("cut to {cut} bytes"), two[..cut].to_vec(), newer.clone()));
    }
    for k in 0..24 {
        let mut flipped = two.clone();
        let at = (two.len() - 1) * k / 23;
        flipped[at] ^= 1 << (k % 8);
        bad.push(("damaged", format!("bit {} of byte {at} flipped", k % 8), flipped, newer.clone()));
    }
    for k in [20, 30, 119] {
        let mut flipped = newer.clone();
        flipped[k] ^= 1;
        bad.push(("signature", format!("byte {k} of the signature flipped"), two.clone(), flipped));
    }
    bad.push(("signature", "half a signature".to_owned(), two.clone(), newer[..60].to_vec()));
    bad.push(("unsigned", "no signature".to_owned(), two.clone(), Vec::new()));
    bad.push(("signature", "another's key".to_owned(), two.clone(), others));
    bad.push(("signature", "another table's signature".to_owned(), two.clone(), first));
    bad.push(("older_epoch", "an older epoch".to_owned(), two.clone(), older));
    bad.push(("same_epoch", "the same epoch".to_owned(), two.clone(), same));
    bad.push(("stripped", "without names".to_owned(), stripped, nameless));

    let before = policy(at).await;
    for (word, what, table, signature) in &bad {
        let name = format!("roadlaw_rejections_total{{why=\"{word}\"}}");
        let had = counted(at, &name).await;
        b.drop_in(table, signature);
        // Several looks later, whatever was seen between the two files.
        tokio::time::sleep(Duration::from_millis(20)).await;
        for tries in 0.. {
            if counted(at, &name).await > had {
                break;
            }
            assert!(tries < 2_000, "{what} is not reported as {word}: {}", policy(at).await);
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        let said = policy(at).await;
        for field in ["digest", "epoch", "generation", "policy"] {
            assert_eq!(said[field], before[field], "{what}");
        }
        assert!(said["last_rejected"].is_string(), "{what}: {said}");
        assert_eq!(ask(at, PAYS).await.1["road"], "big", "{what}");
    }

    // No file, then a folder in its place.
    fs::remove_file(b.path("live.table")).expect("removed");
    until(at, "no file", |p| p["last_rejected"].as_str().is_some_and(|w| w.contains("cannot be read"))).await;
    fs::create_dir(b.path("live.table")).expect("a folder");
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(policy(at).await["generation"], 1);
    fs::remove_dir(b.path("live.table")).expect("removed");

    // A newer table, written where it is read from, in pieces: it is taken when it is whole, and not before.
    fs::write(b.path("live.table.sig"), &newer).expect("written");
    for part in 0..8 {
        fs::write(b.path("live.table"), &two[..two.len() * part / 8]).expect("written");
        tokio::time::sleep(Duration::from_millis(15)).await;
        assert_eq!(policy(at).await["generation"], 1, "{part} of 8 parts");
    }
    fs::write(b.path("live.table"), &two).expect("written");
    let said = until(at, "the newer table", |p| p["generation"] == 2).await;
    assert_eq!((&said["epoch"], &said["last_rejected"]), (&json!(5), &Value::Null));
    assert_eq!(ask(at, PAYS).await.1["road"], "small");

    // The same table for a later epoch, and back: the one before is of an epoch between them.
    let [again, back] = [(&two, 7), (&one, 6)].map(|(t, e)| b.signature(t, 0, e));
    b.drop_in(&two, &again);
    until(at, "the same table again", |p| p["epoch"] == 7 && p["generation"] == 3).await;
    b.drop_in(&one, &back);
    until(at, "the older table", |p| p["last_rejected"].as_str().is_some_and(|w| w.contains("epoch 6"))).await;
    assert_eq!(ask(at, PAYS).await.1["road"], "small");

    stop.send(true).expect("it still asks");
    let figures = loaded.await.expect("no panic").expect("no broken connection");
    let answer = |road: &str, closed: Value, generation: u64| {
        let told =
            json!({ "road": road, "place": "done", "closed": closed, "obligations": [], "generation": generation });
        (200, told.to_string())
    };
    let allowed = [answer("big", json!({}), 1), answer("small", json!({}), 2), answer("small", json!({}), 3)];
    let given: Vec<_> = figures.answers.into_keys().collect();
    assert!(given.len() > 1 && given.iter().all(|a| allowed.contains(a)), "{given:?}");
    // What was counted is what was answered: to the load, and to the questions of this test.
    let asked = u64::try_from(bad.len() + 2).expect("few");
    let [big, small] = ["big", "small"].map(|r| format!("roadlaw_decisions_total{{road=\"{r}\"}}"));
    let total = counted(at, &big).await + counted(at, &small).await;
    assert_eq!(total, u64::try_from(figures.times.len()).expect("few") + asked);
    assert_eq!(counted(at, "roadlaw_generation").await, 3);
    assert_eq!(counted(at, "roadlaw_epoch").await, 7);
    assert_eq!(counted(at, "roadlaw_swaps_total").await, 2);
}

#[tokio::test]
async fn what_is_told_wrongly_is_refused_with_the_reason() {
    let b = Bench::new();
    b.drop_in(&b.table(FIRST, &[]), b"");
    let at = started(b.source(Trust::Anybody)).await;
    for (facts, status, said) in [
        ("{", 400, "not JSON"),
        ("[]", 400, "an object of facts"),
        ("{\"weight\": 1.5}", 400, "whole number"),
        ("{\"labls\": []}", 422, "no such fact"),
        ("{\"labels\": [\"sekret\"]}", 422, "none of its words: personal, secret, client"),
        ("{\"labels\": true}", 422, "a list of labels"),
        ("{\"consent\": \"yes\"}", 422, "true or false"),
        ("{\"weight\": 101}", 422, "outside"),
        ("{\"weight\": 5000000000}", 422, "out of its range"),
        ("{\"consent\": true, \"consent\": false}", 422, "told twice"),
        ("{\"available[gpt]\": true, \"available\": {\"gpt\": false}}", 422, "told twice"),
        ("{\"tried[gpt]\": false}", 422, "the run writes this cell"),
    ] {
        let (got, answer) = ask(at, facts).await;
        assert_eq!(got, status, "{facts}: {answer}");
        assert!(answer["error"].as_str().is_some_and(|e| e.contains(said)), "{facts}: {answer}");
    }
    assert_eq!(counted(at, "roadlaw_misfits_total").await, 12);
    assert_eq!(counted(at, "roadlaw_decisions_total{road=\"none\"}").await, 0);
}

#[tokio::test]
async fn decisions_name_road_place_reasons_and_obligations() {
    let b = Bench::new();
    b.drop_in(&b.table(FIRST, &[]), b"");
    let at = started(b.source(Trust::Anybody)).await;
    let (_, answer) = ask(at, r#"{ "labels": [], "available": { "llama": true } }"#).await;
    assert_eq!((&answer["road"], &answer["place"]), (&json!("llama"), &json!("call(llama)")), "{answer}");
    assert_eq!(answer["closed"], json!({ "gpt": "lineage" }));
    assert!(answer["obligations"].as_array().is_some_and(|o| o.contains(&json!("fresh_identity"))), "{answer}");
    let (status, answer) = ask(at, "{}").await;
    assert_eq!((status, &answer["road"], &answer["place"]), (200, &Value::Null, &json!("pending_no_road")));
    assert_eq!(counted(at, "roadlaw_decisions_total{road=\"llama\"}").await, 1);
    assert_eq!(counted(at, "roadlaw_decisions_total{road=\"none\"}").await, 1);
    assert_eq!(counted(at, "roadlaw_closed_total{road=\"gpt\",reason=\"lineage\"}").await, 2);
    assert_eq!(counted(at, "roadlaw_closed_total{road=\"llama\",reason=\"available\"}").await, 1);
}

#[tokio::test]
async fn without_a_sound_first_table_there_is_no_server() {
    let b = Bench::new();
    let table = b.table(PICK, &[]);
    let opened = |trust, least| Live::open(Source { least, ..b.source(trust) });
    assert!(matches!(opened(b.key(), 0).await.err(), Some(Rejected::Unreadable(_))));
    b.drop_in(&table, b"");
    assert_eq!(opened(b.key(), 0).await.err().map(|e| e.word()), Some("unsigned"));
    b.drop_in(&table, &b.signature(&table, 0, 4));
    assert_eq!(opened(b.key(), 5).await.err().map(|e| e.word()), Some("older_epoch"));
    assert!(opened(b.key(), 4).await.is_ok());
    b.drop_in(&table[..table.len() - 8], b"");
    assert_eq!(opened(Trust::Anybody, 0).await.err().map(|e| e.word()), Some("damaged"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_while_it_reloads_comes_back_with_no_older_policy() {
    let b = Bench::new();
    let one = b.table(PICK, &[]);
    let two = b.table(&PICK.replace("pro  : order big, small", "pro  : order small, big"), &[]);
    let tables = [&one, &two];
    let signatures: Vec<Vec<u8>> = (1..=24).map(|epoch| b.signature(tables[epoch % 2], 0, epoch as u64)).collect();
    let dropped = |epoch: usize| b.drop_in(tables[epoch % 2], &signatures[epoch - 1]);
    let public = b.keys[0].verifying_key().to_public_key_pem(LineEnding::LF).expect("a key");
    fs::write(b.path("key.pub"), public).expect("written");
    let signed = ["--key", "key.pub", "--keep", "greatest"];
    dropped(1);
    let mut epoch = 1;
    for round in 0..6_u64 {
        let (mut child, at) = b.spawn(&signed).expect("it starts");
        let loaded = tokio::spawn(async move { load::ask(at, PAYS, 2, Duration::from_secs(60)).await });
        // Newer tables, and between them one that is cut off.
        for _ in 0..3 {
            epoch += 1;
            b.drop_in(&two[..two.len() / 2], &signatures[epoch - 1]);
            tokio::time::sleep(Duration::from_millis(8 + round)).await;
            dropped(epoch);
            tokio::time::sleep(Duration::from_millis(2 * round)).await;
        }
        let seen = policy(at).await["epoch"].as_u64().expect("an epoch");
        child.kill().expect("killed");
        child.wait().expect("it ends");
        assert!(loaded.await.expect("no panic").is_err(), "connections end with the server");
        // Whatever was in force, and was told to anybody, is kept.
        let kept: u64 = fs::read_to_string(b.path("greatest")).expect("kept").trim_end().parse().expect("an epoch");
        assert!(seen <= kept && kept <= epoch as u64, "{seen} {kept} {epoch}");
        if kept > 1 {
            dropped(1);
            let (code, said) = b.spawn(&signed).expect_err("an older table");
            assert_eq!(code, Some(2));
            assert!(said.contains("epoch 1") && said.contains(&format!("before {kept}")), "{said}");
        }
        dropped(epoch);
    }
    assert!(epoch > 10);
    // Nobody knows the greatest epoch then.
    fs::write(b.path("greatest"), "many").expect("written");
    let (code, said) = b.spawn(&signed).expect_err("no epoch");
    assert!(code == Some(2) && said.contains("holds no epoch"), "{said}");
    let (code, said) = b.spawn(&["--unsigned", "--keep", "greatest"]).expect_err("no epochs");
    assert!(code == Some(2) && said.contains("has no epoch"), "{said}");
    let (code, said) = b.spawn(&[]).expect_err("no key");
    assert!(code == Some(2) && said.contains("usage: "), "{said}");
}

//! Signed tables: what was signed is taken, and nothing else.

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::{EncodePrivateKey, EncodePublicKey};
use roadlaw_compiler::lower::Input;
use roadlaw_compiler::pipeline;
use roadlaw_compiler::table::{self, Options};
use roadlaw_runtime::format::{CHECKSUM_AT, DIGEST_AT, checksum};
use roadlaw_runtime::verify::{LENGTH, Verified, VerifyError, message, verify};
use roadlaw_runtime::{Facts, Table};
use roadlaw_tests::{Program, SHORTEST};
use std::fs;
use std::path::Path;

fn key(seed: u8) -> SigningKey {
    SigningKey::from_bytes(&[seed; 32])
}

fn public(seed: u8) -> [u8; 32] {
    key(seed).verifying_key().to_bytes()
}

fn built(text: &str) -> Vec<u8> {
    let input = Input { name: "p.road".to_owned(), bytes: text.as_bytes().to_vec(), root: None };
    pipeline::check(input, Options::default()).table.expect("a table")
}

fn signed(table: &[u8], seed: u8, epoch: u64) -> Vec<u8> {
    use ed25519_dalek::Signer;
    let message = message(&table::digest(table), epoch);
    [&message[24..], &key(seed).sign(&message).to_bytes()].concat()
}

#[test]
fn a_signed_table_is_used_like_any_other() {
    let table = built(SHORTEST);
    let mark = signed(&table, 1, 7);
    assert_eq!(mark.len(), LENGTH);
    let verified: Verified<Table<'_>> = verify(&table, &mark, &public(1), 7).expect("verified");
    assert_eq!(verified.epoch(), 7);
    let plain = Table::from_bytes(&table).expect("a table");
    assert_eq!(verified.digest(), plain.digest());
    assert_eq!(verified.choose(0, &Facts::new()).road(), plain.choose(0, &Facts::new()).road());
}

#[test]
fn a_stripped_signature_is_none() {
    let table = built(SHORTEST);
    assert_eq!(verify(&table, &[], &public(1), 0).err(), Some(VerifyError::Unsigned));
}

#[test]
fn every_truncation_and_every_changed_bit_of_a_signature_is_refused() {
    let table = built(SHORTEST);
    let mark = signed(&table, 1, 7);
    for n in 0..mark.len() {
        assert!(verify(&table, &mark[..n], &public(1), 0).is_err(), "{n} bytes");
    }
    assert_eq!(verify(&table, &[mark.clone(), vec![0]].concat(), &public(1), 0).err(), Some(VerifyError::Length));
    for bit in 0..mark.len() * 8 {
        let mut changed = mark.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(verify(&table, &changed, &public(1), 0).is_err(), "bit {bit}");
    }
}

#[test]
fn another_key_is_refused() {
    let table = built(SHORTEST);
    let mark = signed(&table, 1, 7);
    assert_eq!(verify(&table, &mark, &public(2), 0).err(), Some(VerifyError::Signature));
    // A point of small order verifies anything by itself.
    let mut weak = [0; 32];
    weak[0] = 1;
    assert!(verify(&table, &mark, &weak, 0).is_err());
}

#[test]
fn another_or_changed_table_is_refused() {
    let table = built(SHORTEST);
    let mark = signed(&table, 1, 7);
    let other = built(&SHORTEST.replacen("@1", "@2", 1));
    assert_ne!(table, other);
    assert_eq!(verify(&other, &mark, &public(1), 0).err(), Some(VerifyError::OtherTable));
    for at in 0..table.len() {
        let mut changed = table.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(verify(&changed, &mark, &public(1), 0).is_err(), "byte {at}");
        // With the checksum repaired the digest tells; with the digest repaired the signature is another table's.
        let sum = checksum(&changed);
        changed[CHECKSUM_AT..CHECKSUM_AT + 8].copy_from_slice(&sum.to_le_bytes());
        assert!(changed == table || verify(&changed, &mark, &public(1), 0).is_err(), "byte {at}");
        let digest = table::digest(&changed);
        changed[DIGEST_AT..DIGEST_AT + 32].copy_from_slice(&digest);
        assert!(changed == table || verify(&changed, &mark, &public(1), 0).is_err(), "byte {at}");
    }
}

#[test]
fn an_older_epoch_is_refused() {
    let table = built(SHORTEST);
    let mark = signed(&table, 1, 7);
    assert_eq!(verify(&table, &mark, &public(1), 8).err(), Some(VerifyError::Epoch { signed: 7, least: 8 }));
    // The epoch is signed: nobody can raise it.
    let mut raised = mark.clone();
    raised[16] = 9;
    assert_eq!(verify(&table, &raised, &public(1), 8).err(), Some(VerifyError::Signature));
    assert_eq!(verify(&table, &signed(&table, 1, u64::MAX), &public(1), 8).map(|v| v.epoch()).ok(), Some(u64::MAX));
}

#[test]
fn a_signature_for_anything_else_is_none() {
    use ed25519_dalek::Signer;
    let table = built(SHORTEST);
    let message = message(&table::digest(&table), 7);
    // The same bytes without the words that say what is signed.
    let mark = [&message[24..], &key(1).sign(&message[24..]).to_bytes()].concat();
    assert_eq!(verify(&table, &mark, &public(1), 0).err(), Some(VerifyError::Signature));
}

fn keys(folder: &Path, name: &str, seed: u8) {
    let private = key(seed).to_pkcs8_pem(Default::default()).expect("a private key");
    fs::write(folder.join(format!("{name}.pem")), private.as_bytes()).expect("written");
    let public = key(seed).verifying_key().to_public_key_pem(Default::default()).expect("a public key");
    fs::write(folder.join(format!("{name}.pub")), public).expect("written");
}

#[test]
fn the_program_signs_and_verifies() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let roadlaw = |arguments: &[&str]| Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), at).run(arguments);
    keys(at, "one", 1);
    keys(at, "two", 2);
    // What `openssl genpkey -algorithm ed25519` and `openssl pkey -pubout` write.
    fs::write(at.join("openssl.pem"), "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB\n-----END PRIVATE KEY-----\n")
        .expect("written");
    fs::write(at.join("p.road"), SHORTEST).expect("written");
    assert_eq!(roadlaw(&["build", "p.road", "-o", "p.table"]).code, 0);
    let run = roadlaw(&["verify", "p.table", "--key", "one.pub"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("it is not signed"), "{}", run.out);
    for private in ["one.pem", "openssl.pem"] {
        let run = roadlaw(&["sign", "p.table", "--key", private, "--epoch", "3"]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
        let run = roadlaw(&["verify", "p.table", "--key", "one.pub", "--epoch", "3"]);
        assert_eq!((run.code, run.out.as_str()), (0, "verified   p.table: signed with this key, epoch 3\n"));
    }
    let run = roadlaw(&["verify", "p.table", "--key", "one.pub", "--source", "p.road", "--format", "json"]);
    assert_eq!(run.code, 0);
    assert_eq!((&run.json()["identical"], &run.json()["signature"]["epoch"]), (&true.into(), &3.into()));
    for (arguments, why) in [
        (&["--key", "two.pub"][..], "another key"),
        (&["--key", "one.pub", "--epoch", "4"], "is of epoch 3, and none before 4 is accepted"),
        (&["--key", "one.pub", "--signature", "gone.sig"], "it is not signed"),
    ] {
        let run = roadlaw(&[&["verify", "p.table"], arguments].concat());
        assert_eq!(run.code, 1, "{arguments:?} {}", run.err);
        assert!(run.out.contains(why), "{arguments:?}: {}", run.out);
    }
    for arguments in [
        &["verify", "p.table", "--key", "one.pem"][..],
        &["verify", "p.table", "--key", "none.pub"],
        &["verify", "p.table"],
        &["verify", "p.table", "--source", "p.road", "--epoch", "4"],
        &["sign", "p.table", "--key", "one.pub", "--epoch", "3"],
        &["sign", "p.table", "--key", "one.pem"],
        &["sign", "p.road", "--key", "one.pem", "--epoch", "3"],
        &["sign", "p.table", "--key", "one.pem", "--epoch", "3", "-o", "no/such/place"],
    ] {
        let run = roadlaw(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(!run.err.is_empty(), "{arguments:?}");
    }
}

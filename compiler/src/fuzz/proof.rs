//! Bodies on proofs.

use super::POLICIES;
use super::bytes::Draw;
use super::text::input;
use crate::manifest::{Manifest, certificate_digest, hex};
use crate::model::Model;
use crate::pipeline;
use crate::prove::Settings;
use crate::recheck::{Rechecked, Refusal, read, recheck};
use crate::table::{self, Options};
use roadlaw_runtime::format::{CHECKSUM_AT, DIGEST_AT, PROOF_AT, checksum};
use serde_json::Value;
use std::sync::OnceLock;

/// Edits of one proof beyond which it is only another one.
const EDITS: usize = 8;

/// A proof of a policy, and what it is about.
struct Sound {
    model: Model,
    table: Vec<u8>,
    proof: Manifest,
    json: Value,
}

/// Proofs of the same policies as [`super::tables`], made once.
fn proofs() -> &'static [Sound] {
    static PROOFS: OnceLock<Vec<Sound>> = OnceLock::new();
    PROOFS.get_or_init(|| {
        let made = POLICIES.iter().map(|text| {
            let settings = Settings { record: true, ..Settings::default() };
            let checked = pipeline::check_with(input(text.as_bytes()), Options::default(), settings);
            let (Some(model), Some(table)) = (checked.model, checked.table) else {
                panic!("{:?}", checked.report.diagnostics)
            };
            let proof = checked.report.proof.and_then(|p| p.manifest(&model, &table)).expect("a recorded proof");
            let json = serde_json::to_value(&proof).expect("plain data");
            Sound { model, table, proof, json }
        });
        made.collect()
    })
}

/// The policy that a proof as JSON is held against: the last one, whose proof is small.
fn small() -> &'static Sound {
    proofs().last().expect("there are policies")
}

/// The proof that [`proof`] takes.
#[must_use]
pub fn sound_proof() -> &'static Manifest {
    &small().proof
}

/// A proof as JSON, or edits of a sound one, held against one policy and its table: as it is, and with every digest made to
/// fit, so that only what it says is left. Refused, or it owes and names what the sound proof does.
///
/// # Panics
/// If something does not hold that must.
pub fn proof(bytes: &[u8]) {
    let edited = bytes.first() != Some(&b'{');
    let mut d = Draw(bytes);
    let sound = match d.below(proofs().len()) {
        Some(i) if edited => &proofs()[i],
        _ => small(),
    };
    let text = if edited { changed(&sound.json, &mut d) } else { bytes.to_vec() };
    let mut claimed = match read(&text) {
        Ok(proof) => proof,
        Err(why) => {
            assert!(why.unreadable() && !why.to_string().is_empty());
            return;
        }
    };
    assert_eq!(read(claimed.to_json().as_bytes()).as_ref(), Ok(&claimed), "written and read, it is another");
    let found = recheck(&claimed, &sound.model, &sound.table);
    if taken(&found, &claimed, sound) {
        assert_eq!(claimed.digests, sound.proof.digests);
        assert_eq!(claimed.certificate(), sound.proof.certificate());
        nothing_less(&claimed, sound, &mut d);
    }
    let mut table = sound.table.clone();
    seal(&mut claimed, &mut table);
    let found = recheck(&claimed, &sound.model, &table);
    taken(&found, &claimed, sound);
    assert_eq!(found, recheck(&claimed, &sound.model, &table), "twice, and not the same");
}

/// Whether it is taken as right. If so, then nothing is there that is not owed, and every obligation was settled.
fn taken(found: &Result<Rechecked, Refusal>, claimed: &Manifest, sound: &Sound) -> bool {
    let book = match found {
        Ok(book) => book,
        Err(why) => {
            assert!(!why.to_string().is_empty());
            return false;
        }
    };
    let wanted = &sound.proof;
    assert_eq!((&claimed.policy, &claimed.profile), (&wanted.policy, &wanted.profile));
    assert_eq!((&claimed.laws, &claimed.left_out), (&wanted.laws, &wanted.left_out));
    assert_eq!((&claimed.cells, &claimed.assumed), (&wanted.cells, &wanted.assumed));
    assert_eq!(owed(claimed), owed(wanted));
    assert_eq!(book.total, wanted.obligations.len());
    let settled: usize = book.checked.values().sum();
    assert!(settled + book.trusted.len() >= book.total, "{settled} of {} were looked at", book.total);
    true
}

/// What is owed, in one order.
fn owed(proof: &Manifest) -> Vec<(&str, &str, u32, &str)> {
    let each = proof.obligations.iter();
    let mut all: Vec<_> =
        each.map(|o| (o.law.as_str(), o.subject.name.as_str(), o.subject.id, o.by.as_str())).collect();
    all.sort_unstable();
    all
}

/// A proof that is taken is not taken any more with one digit of a digest, one obligation or one byte of the table changed.
fn nothing_less(claimed: &Manifest, sound: &Sound, d: &mut Draw<'_>) {
    let at = d.below(usize::MAX).unwrap_or(0);
    let refused = |proof: &Manifest, table: &[u8], what: &str| {
        let found = recheck(proof, &sound.model, table);
        assert!(matches!(found, Err(Refusal::Digest { .. })), "{what}: {found:?}");
    };
    for which in 0..3 {
        let mut other = claimed.clone();
        let digests = &mut other.digests;
        let digest = [&mut digests.model, &mut digests.table, &mut digests.proof].into_iter().nth(which);
        let Some(digest) = digest else { continue };
        let i = at % digest.len();
        let digit = if digest.as_bytes()[i] == b'0' { "1" } else { "0" };
        digest.replace_range(i..=i, digit);
        refused(&other, &sound.table, "a digest with another digit");
    }
    let mut other = claimed.clone();
    other.obligations.remove(at % claimed.obligations.len());
    refused(&other, &sound.table, "an obligation less");
    let mut table = sound.table.clone();
    let i = at % table.len();
    table[i] ^= 1;
    assert!(recheck(claimed, &sound.model, &table).is_err(), "byte {i} of the table");
}

/// Makes all digests fit, as somebody who knows the formats could.
fn seal(proof: &mut Manifest, table: &mut [u8]) {
    let certificate = certificate_digest(&proof.certificate());
    table[PROOF_AT..PROOF_AT + 32].copy_from_slice(&certificate);
    let sum = checksum(table);
    table[CHECKSUM_AT..CHECKSUM_AT + 8].copy_from_slice(&sum.to_le_bytes());
    let digest = table::digest(table);
    table[DIGEST_AT..DIGEST_AT + 32].copy_from_slice(&digest);
    proof.digests.proof = hex(&certificate);
    proof.digests.table = hex(&digest);
}

/// A sound proof with some places edited.
fn changed(json: &Value, d: &mut Draw<'_>) -> Vec<u8> {
    let mut json = json.clone();
    for _ in 0..EDITS {
        if edit(&mut json, d).is_none() {
            break;
        }
    }
    json.to_string().into_bytes()
}

/// Goes down to a place, and changes it there.
fn edit(json: &mut Value, d: &mut Draw<'_>) -> Option<()> {
    // Lists are longer than a byte can count.
    let far = usize::from(d.byte()?) << 8 | usize::from(d.byte()?);
    let way = d.byte()?;
    match json {
        Value::Array(all) if !all.is_empty() => {
            let (i, n) = (far % all.len(), all.len());
            match way {
                0..16 => drop(all.remove(i)),
                16..32 => all.insert(i, all[i].clone()),
                32..48 => all.swap(i, d.below(n)?),
                _ => return edit(&mut all[i], d),
            }
        }
        Value::Object(all) if !all.is_empty() => {
            let key = all.keys().nth(far % all.len())?.clone();
            match way {
                0..4 => drop(all.remove(&key)),
                _ => return edit(all.get_mut(&key)?, d),
            }
        }
        Value::String(s) => s.insert(0, char::from(way)),
        Value::Bool(b) => *b = !*b,
        other => *other = number(other.as_i64().unwrap_or(0), way, d)?.into(),
    }
    Some(())
}

/// Another number: near the one that is there, any, or one at the end of its type.
fn number(n: i64, way: u8, d: &mut Draw<'_>) -> Option<i64> {
    const ENDS: [i64; 6] = [i64::MIN, i64::MAX, 0xffff_ffff, 0xffff, 0xff, -1];
    Some(match way % 4 {
        0 => n.saturating_add(1),
        1 => n.saturating_sub(1),
        2 => d.word()?.into(),
        _ => ENDS[usize::from(way / 4) % ENDS.len()],
    })
}

//! `roadlaw sign` and the half of `roadlaw verify` that looks at signatures.

use super::args::{Format, Sign};
use super::fault::Fault;
use super::opened::hex;
use super::{Answer, Exit, files, json, opened, style};
use ed25519_dalek::pkcs8::{DecodePrivateKey, DecodePublicKey};
use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use roadlaw_runtime::verify::{self, VerifyError};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// No key is longer.
const KEY: usize = 16 << 10;

/// Signs a table. The private key is read and used, never kept or shown.
pub(crate) fn sign(arguments: &Sign, format: Format) -> Result<Answer, Fault> {
    let bytes = opened::read(&arguments.table)?;
    let (table, _) = opened::check(&arguments.table, &bytes)?;
    let text = key_text(&arguments.key)?;
    let key = SigningKey::from_pkcs8_pem(&text).map_err(|_| {
        no_key(&arguments.key, "it is no Ed25519 private key in PKCS #8 (`openssl genpkey -algorithm ed25519`)")
    })?;
    let message = verify::message(&table.digest(), arguments.epoch);
    let mut signature = message[verify::CONTEXT.len()..].to_vec();
    signature.extend(key.sign(&message).to_bytes());
    let place = place(arguments);
    files::commit(&place, files::stage(&place, &signature)?)?;
    let text = match format {
        Format::Human => format!(
            "{}     {}  epoch {}\n           wrote {}\n",
            style::good("signed"),
            style::plain(&files::name(&arguments.table)),
            arguments.epoch,
            style::plain(&files::name(&place))
        ),
        Format::Json => json::line(&json!({
            "table": files::name(&arguments.table),
            "digest": hex(&table.digest()),
            "epoch": arguments.epoch,
            "key": hex(key.verifying_key().as_bytes()),
            "written": [files::name(&place)],
        })),
    };
    Ok(Answer { text, exit: Exit::Proved })
}

/// Where the signature is written.
pub(crate) fn place(arguments: &Sign) -> PathBuf {
    arguments.output.clone().unwrap_or_else(|| beside(&arguments.table))
}

/// What a signature says of a table.
pub(crate) struct Seen {
    pub(crate) exit: Exit,
    pub(crate) text: String,
    pub(crate) value: Value,
}

/// Verifies the signature of a table. A signature that is missing is a rejection, not a fault: that is how one is stripped.
pub(crate) fn look(
    table: &Path,
    bytes: &[u8],
    key: &Path,
    signature: Option<&Path>,
    least: u64,
) -> Result<Seen, Fault> {
    let place = signature.map_or_else(|| beside(table), Path::to_owned);
    let public = VerifyingKey::from_public_key_pem(&key_text(key)?)
        .map_err(|_| no_key(key, "it is no Ed25519 public key (`openssl pkey -pubout`)"))?;
    let mark = if place.exists() { files::read(&place)? } else { Vec::new() };
    let name = style::plain(&files::name(table)).to_string();
    let found = verify::verify(bytes, &mark, public.as_bytes(), least).map(|v| v.epoch());
    Ok(match found {
        Ok(epoch) => Seen {
            exit: Exit::Proved,
            text: format!("{}   {name}: signed with this key, epoch {epoch}\n", style::good("verified")),
            value: json!({ "epoch": epoch, "refused": null }),
        },
        Err(why) => {
            let why = match why {
                VerifyError::Unsigned => format!("it is not signed: there is nothing in {}", files::name(&place)),
                why => why.to_string(),
            };
            Seen {
                exit: Exit::Rejected,
                text: format!("{}   {name}: {}\n", style::bad("rejected"), style::plain(&why)),
                value: json!({ "epoch": null, "refused": why }),
            }
        }
    })
}

/// Where the signature of a table stands by itself.
fn beside(table: &Path) -> PathBuf {
    let mut name = table.as_os_str().to_owned();
    name.push(".sig");
    PathBuf::from(name)
}

fn key_text(path: &Path) -> Result<String, Fault> {
    let bytes = files::read(path)?;
    if bytes.len() > KEY {
        return Err(no_key(path, "it is too long for a key"));
    }
    String::from_utf8(bytes).map_err(|_| no_key(path, "it is no text"))
}

fn no_key(path: &Path, reason: &str) -> Fault {
    Fault::File { doing: "use the key", path: files::name(path), reason: reason.to_owned() }
}

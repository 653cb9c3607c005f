//! The digest by which tables and proofs name a model.

use super::Model;

/// BLAKE3 of the model's canonical JSON. Tests and doc comments are no part of it: they change no decision.
#[must_use]
pub fn digest(model: &Model) -> [u8; 32] {
    let mut value = serde_json::to_value(model).unwrap_or_default();
    if let Some(map) = value.as_object_mut() {
        for key in ["tests", "docs"] {
            map.remove(key);
        }
        for list in ["facts", "roads"] {
            for item in map.get_mut(list).and_then(|v| v.as_array_mut()).into_iter().flatten() {
                if let Some(o) = item.as_object_mut() {
                    o.remove("docs");
                }
            }
        }
    }
    let mut hasher = blake3::Hasher::new_derive_key("roadlaw model 1");
    hasher.update(value.to_string().as_bytes());
    *hasher.finalize().as_bytes()
}

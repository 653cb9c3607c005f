//! What a request tells: JSON without fractions, in which a name that stands twice is seen. A parser that keeps the last of
//! two values would let `"local_only": true, .. "local_only": false` pass.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt::{Formatter, Result as Written};

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// Unknown.
    Null,
    /// A bool.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A word.
    Word(String),
    /// Labels.
    List(Vec<String>),
    /// Names and values in the order in which they stand.
    Object(Vec<(String, Told)>),
}

impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reads)
    }
}

struct Reads;

impl<'de> Visitor<'de> for Reads {
    type Value = Told;

    fn expecting(&self, f: &mut Formatter<'_>) -> Written {
        f.write_str("null, true, false, a whole number, a word, a list of words or an object")
    }

    fn visit_unit<E: Error>(self) -> Result<Told, E> {
        Ok(Told::Null)
    }

    fn visit_bool<E: Error>(self, b: bool) -> Result<Told, E> {
        Ok(Told::Bool(b))
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<Told, E> {
        Ok(Told::Int(n))
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<Told, E> {
        i64::try_from(n).map(Told::Int).map_err(E::custom)
    }

    fn visit_str<E: Error>(self, s: &str) -> Result<Told, E> {
        Ok(Told::Word(s.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Told, A::Error> {
        let mut labels = Vec::new();
        while let Some(label) = list.next_element()? {
            labels.push(label);
        }
        Ok(Told::List(labels))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Told, A::Error> {
        let mut members: Vec<(String, Told)> = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Told::Object(members))
    }
}

//! Types: enums over indices of the table, bit sets, and bounded ints.

use super::page::Page;

/// A variant or a constant.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// As an identifier.
    pub(super) ident: String,
    /// As the policy says it.
    pub(super) name: String,
    /// What else is said of it.
    pub(super) docs: String,
    /// Its number in the table.
    pub(super) number: usize,
}

/// An enum of things that the table numbers.
#[derive(Debug)]
pub(super) struct Enumeration<'a> {
    pub(super) ident: &'a str,
    pub(super) docs: &'a str,
    /// The type of its numbers.
    pub(super) number: &'a str,
    /// What the numbers are.
    pub(super) numbers: &'a str,
    pub(super) ordered: bool,
    pub(super) items: &'a [Item],
}

impl Enumeration<'_> {
    pub(super) fn write(&self, page: &mut Page) {
        let (ident, number) = (self.ident, self.number);
        page.gap();
        page.doc(self.docs);
        let order = if self.ordered { ", PartialOrd, Ord" } else { "" };
        page.line(&format!("#[derive(Debug, Clone, Copy, PartialEq, Eq{order}, Hash)]"));
        if self.items.is_empty() {
            page.line(&format!("pub enum {ident} {{}}"));
        } else {
            page.open(&format!("pub enum {ident} {{"));
            for i in self.items {
                said(page, i);
                page.line(&format!("{},", i.ident));
            }
            page.close("}");
        }
        page.gap();
        page.open(&format!("impl {ident} {{"));
        page.doc(&format!("{}.", self.numbers));
        page.line("#[must_use]");
        page.open(&format!("pub const fn index(self) -> {number} {{"));
        page.all_arms("self", self.items.iter().map(|i| (format!("Self::{}", i.ident), i.number.to_string())));
        page.close("}");
        page.gap();
        page.doc("The one with this number, if there is one.");
        page.line("#[must_use]");
        page.open(&format!("pub const fn from_index(index: {number}) -> Option<Self> {{"));
        let known = self.items.iter().map(|i| (i.number.to_string(), format!("Some(Self::{})", i.ident)));
        // All numbers of a byte may be taken: then there is no other.
        let other = (self.items.len() < 256 || number != "u8").then(|| ("_".to_owned(), "None".to_owned()));
        page.all_arms("index", known.chain(other));
        page.close("}");
        page.gap();
        page.doc("As the policy says it.");
        page.line("#[must_use]");
        page.open("pub const fn name(self) -> &'static str {");
        page.all_arms("self", self.items.iter().map(|i| (format!("Self::{}", i.ident), format!("{:?}", i.name))));
        page.close("}");
        page.gap();
        page.doc("All of them, by number.");
        page.open("pub fn all() -> impl Iterator<Item = Self> {");
        match self.items.iter().map(|i| i.number).max() {
            Some(last) => page.line(&format!("(0..={last}).filter_map(Self::from_index)")),
            None => page.line("core::iter::empty()"),
        }
        page.close("}");
        page.close("}");
        page.gap();
        page.open(&format!("impl core::fmt::Display for {ident} {{"));
        page.open("fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {");
        page.line("f.write_str(self.name())");
        page.close("}");
        page.close("}");
    }
}

/// A set of bits, each of which has a name.
#[derive(Debug)]
pub(super) struct Bits<'a> {
    pub(super) ident: &'a str,
    pub(super) docs: &'a str,
    /// The type of the mask.
    pub(super) number: &'a str,
    pub(super) items: &'a [Item],
}

impl Bits<'_> {
    pub(super) fn write(&self, page: &mut Page) {
        let (ident, number) = (self.ident, self.number);
        page.gap();
        page.doc(self.docs);
        page.line("#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]");
        page.line(&format!("pub struct {ident}({number});"));
        page.gap();
        page.open(&format!("impl {ident} {{"));
        page.doc("None of them.");
        page.line("pub const EMPTY: Self = Self(0);");
        for i in self.items {
            said(page, i);
            page.line(&format!("pub const {}: Self = Self(1 << {});", i.ident, i.number));
        }
        let mask =
            self.items.iter().filter_map(|i| 1_u64.checked_shl(u32::try_from(i.number).ok()?)).fold(0, |m, b| m | b);
        page.doc("All of them.");
        page.line(&format!("pub const ALL: Self = Self({mask:#x});"));
        page.verbatim(&BITS.replace("{number}", number));
        page.close("}");
        page.verbatim(&BITS_OR.replace("{ident}", ident));
    }
}

/// An int between two bounds.
pub(super) fn bounded(page: &mut Page, ident: &str, docs: &str, lo: i32, hi: i32) {
    page.gap();
    page.doc(docs);
    page.line("#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]");
    page.line(&format!("pub struct {ident}(i32);"));
    page.gap();
    page.open(&format!("impl {ident} {{"));
    page.doc("The least.");
    page.line(&format!("pub const MIN: i32 = {lo};"));
    page.doc("The greatest.");
    page.line(&format!("pub const MAX: i32 = {hi};"));
    page.verbatim(BOUNDED);
    page.close("}");
}

fn said(page: &mut Page, i: &Item) {
    page.doc(&format!("`{}`", i.name));
    if !i.docs.trim().is_empty() {
        page.doc(&format!("\n{}", i.docs));
    }
}

const BITS: &str = "
    /// The mask.
    #[must_use]
    pub const fn bits(self) -> {number} {
        self.0
    }

    /// From a mask, if it has no other bit.
    #[must_use]
    pub const fn from_bits(bits: {number}) -> Option<Self> {
        if bits & !Self::ALL.0 != 0 {
            return None;
        }
        Some(Self(bits))
    }

    /// These and those.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Every one of the others is among these.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
";

const BITS_OR: &str = "
impl core::ops::BitOr for {ident} {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.with(other)
    }
}
";

const BOUNDED: &str = "
    /// `None` if the value is out of bounds: given to a setter, that leaves the fact unknown.
    #[must_use]
    pub const fn new(value: i32) -> Option<Self> {
        if value < Self::MIN || value > Self::MAX {
            return None;
        }
        Some(Self(value))
    }

    /// The value.
    #[must_use]
    pub const fn get(self) -> i32 {
        self.0
    }
";

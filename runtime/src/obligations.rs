//! Obligations by name: what a step hands to the caller. A fixed vocabulary of the format, the same for every policy.

use core::fmt;

use crate::format::obligation::NAMES;

macro_rules! obligations {
    ($($variant:ident $constant:ident),* $(,)?) => {
        /// What a step of a run may oblige to: see [`crate::format::obligation`] for what each asks.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Obligation {
            $(#[doc = concat!("See [`obligation::", stringify!($constant), "`](crate::format::obligation::", stringify!($constant), ").")] $variant,)*
        }

        const EACH: [Obligation; NAMES.len()] = [$(Obligation::$variant),*];

        impl Obligations {
            $(#[doc = concat!("[`Obligation::", stringify!($variant), "`] alone.")]
            pub const $constant: Self = Self(crate::format::obligation::$constant);)*
        }

        impl From<Obligation> for Obligations {
            fn from(one: Obligation) -> Self {
                match one {
                    $(Obligation::$variant => Self::$constant,)*
                }
            }
        }
    };
}

obligations! {
    Checkpoint CHECKPOINT, ReResolve RE_RESOLVE, CheckDistinct CHECK_DISTINCT, CheckBlind CHECK_BLIND,
    QuestionEqual QUESTION_EQUAL, ContextEqual CONTEXT_EQUAL, Provenance PROVENANCE, LeaseFence LEASE_FENCE,
    ConsumeOnce CONSUME_ONCE, FallbackReceipt FALLBACK_RECEIPT, CompareAndSwap COMPARE_AND_SWAP,
    FreshIdentity FRESH_IDENTITY, ReplayProof REPLAY_PROOF, EgressOnce EGRESS_ONCE, Release RELEASE,
}

impl Obligation {
    /// Its bit.
    #[must_use]
    pub fn index(self) -> usize {
        EACH.iter().take_while(|o| **o != self).count()
    }

    /// The one with this bit, if there is one.
    #[must_use]
    pub fn from_index(bit: usize) -> Option<Self> {
        EACH.get(bit).copied()
    }

    /// As `roadlaw` says it.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.get(self.index()).copied().unwrap_or("")
    }

    /// All of them, by bit.
    pub fn all() -> impl Iterator<Item = Self> {
        EACH.into_iter()
    }
}

impl fmt::Display for Obligation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Obligations of a step, to be met before the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Obligations(u32);

impl Obligations {
    /// None of them.
    pub const EMPTY: Self = Self(0);
    /// All of them.
    pub const ALL: Self = Self((1 << NAMES.len()) - 1);

    /// The mask, as [`crate::Run`] and [`crate::Step`] hold it.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// From a mask, if it has no bit that means nothing.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        if bits & !Self::ALL.0 != 0 {
            return None;
        }
        Some(Self(bits))
    }

    /// Those that a mask names. A table with any other bit is refused when it is loaded, so that of the masks of a
    /// [`crate::Run`] or a [`crate::Step`] nothing is left out.
    #[must_use]
    pub const fn named(bits: u32) -> Self {
        Self(bits & Self::ALL.0)
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

    /// One after the other, by bit.
    pub fn iter(self) -> impl Iterator<Item = Obligation> {
        Obligation::all().filter(move |o| self.has((*o).into()))
    }
}

impl core::ops::BitOr for Obligations {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.with(other)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::{format, string::String};

    /// `CompareAndSwap` is `compare_and_swap`.
    fn snake(variant: Obligation) -> String {
        let mut name = String::new();
        for c in format!("{variant:?}").chars() {
            if c.is_ascii_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.push(c.to_ascii_lowercase());
        }
        name
    }

    #[test]
    fn names_bits_and_variants_are_one_list() {
        assert_eq!(Obligation::all().count(), NAMES.len());
        for (bit, o) in Obligation::all().enumerate() {
            assert_eq!((o.index(), Obligation::from_index(bit), o.name()), (bit, Some(o), snake(o).as_str()));
            assert_eq!(Obligations::from(o).bits(), 1 << bit);
        }
        assert_eq!(Obligation::from_index(NAMES.len()), None);
        assert_eq!(Obligations::COMPARE_AND_SWAP.iter().next(), Some(Obligation::CompareAndSwap));
        assert_eq!(Obligations::RELEASE.iter().next(), Some(Obligation::Release));
    }

    #[test]
    fn a_mask_names_what_it_holds() {
        let two = Obligations::CHECKPOINT | Obligations::RELEASE;
        assert!(two.iter().eq([Obligation::Checkpoint, Obligation::Release]));
        assert_eq!(Obligations::from_bits(two.bits()), Some(two));
        assert_eq!((Obligations::from_bits(1 << 15), Obligations::named(1 << 15)), (None, Obligations::EMPTY));
        assert!(Obligations::ALL.has(two) && !two.has(Obligations::ALL) && two.has(Obligations::EMPTY));
        assert_eq!(Obligations::ALL.iter().count(), NAMES.len());
    }
}

//! Labels of content. What is made of two things is at least as private as each.

/// Classes, least private first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Anybody.
    Public,
    /// The organisation.
    Internal,
    /// The persons concerned.
    Private,
    /// This machine.
    Restricted,
}

/// A label: class, weight from 0 to 100, categories as a mask, and whether every source is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    class: Class,
    weight: u8,
    categories: u64,
    lineage: bool,
}

/// Why there is no such label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LabelError {
    /// The weight is above 100.
    Weight,
    /// Content of unknown origin is restricted, whatever its class is said to be.
    Lineage,
}

impl core::fmt::Display for LabelError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Weight => "a weight is at most 100",
            Self::Lineage => "content of unknown origin is restricted",
        })
    }
}

impl core::error::Error for LabelError {}

impl Label {
    /// A label.
    ///
    /// # Errors
    /// The weight is above 100, or the lineage is not known and the class is not restricted.
    pub fn new(class: Class, weight: u8, categories: u64, lineage: bool) -> Result<Self, LabelError> {
        if weight > 100 {
            return Err(LabelError::Weight);
        }
        if !lineage && class != Class::Restricted {
            return Err(LabelError::Lineage);
        }
        Ok(Self { class, weight, categories, lineage })
    }

    /// The label of what is made of both: the higher class and weight, all categories; one unknown origin is enough. It is
    /// a label again, since whatever has an unknown origin is restricted.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            class: self.class.max(other.class),
            weight: self.weight.max(other.weight),
            categories: self.categories | other.categories,
            lineage: self.lineage && other.lineage,
        }
    }

    /// The class.
    #[must_use]
    pub fn class(self) -> Class {
        self.class
    }

    /// The weight.
    #[must_use]
    pub fn weight(self) -> u8 {
        self.weight
    }

    /// The categories.
    #[must_use]
    pub fn categories(self) -> u64 {
        self.categories
    }

    /// Whether every source is known.
    #[must_use]
    pub fn lineage(self) -> bool {
        self.lineage
    }
}

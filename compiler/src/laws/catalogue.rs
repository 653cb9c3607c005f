//! The catalogue of laws: for each code what it protects, the smallest text that breaks it and how a real policy is
//! mended. Pure data; which laws run over a policy is decided where their obligations are stated. Codes are never reused.

mod bounds;
mod choice;
mod fallback;
mod freshness;
mod gates;
mod presence;
pub mod profiles;
mod table;
mod totality;

/// One law. All texts are for people; the policy texts are fragments in the road policy language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Law {
    /// Stable code, `RL104`.
    pub code: &'static str,
    /// One line, lower case, no period.
    pub title: &'static str,
    /// What kind of property it is; one of [`SHAPES`].
    pub shape: &'static str,
    /// What goes wrong in the world where it does not hold.
    pub protects: &'static str,
    /// The smallest policy text that breaks it.
    pub bad: &'static str,
    /// The same text, mended.
    pub repaired: &'static str,
    /// How to mend a real policy.
    pub fix: &'static str,
}

/// Shapes of laws with their meaning.
pub const SHAPES: &[(&str, &str)] = &[
    ("Dom", "no path reaches the node without the gate in force, unless exempt"),
    ("Fresh", "a gate's evidence is not used after something that ended it"),
    ("Imply", "whenever the road can be chosen, the need holds"),
    ("Diff", "the declared change is the actual change"),
    ("Entry", "only certain outcomes lead there"),
    ("Two-run", "two fact vectors that differ only where they may are compared"),
    ("Arith", "integer bounds hold"),
    ("Total", "every input has exactly one result"),
    ("Pres", "something must be written down"),
    ("Flow", "a class of data reaches only allowed places"),
    ("Live", "something must be possible"),
];

const FAMILIES: &[&[Law]] = &[
    presence::LAWS,
    gates::LAWS,
    freshness::LAWS,
    fallback::LAWS,
    choice::LAWS,
    bounds::LAWS,
    totality::LAWS,
    table::LAWS,
];

const COUNT: usize = {
    let mut n = 0;
    let mut f = 0;
    while f < FAMILIES.len() {
        n += FAMILIES[f].len();
        f += 1;
    }
    n
};

const ALL: [Law; COUNT] = {
    let mut all = [FAMILIES[0][0]; COUNT];
    let (mut n, mut f) = (0, 0);
    while f < FAMILIES.len() {
        let mut i = 0;
        while i < FAMILIES[f].len() {
            all[n] = FAMILIES[f][i];
            n += 1;
            i += 1;
        }
        f += 1;
    }
    all
};

/// Every law, by code; `RA` comes last.
pub const LAWS: &[Law] = &ALL;

/// The law with this code; case does not matter.
#[must_use]
pub fn find(code: &str) -> Option<&'static Law> {
    LAWS.iter().find(|l| l.code.eq_ignore_ascii_case(code))
}

#[cfg(test)]
mod tests {
    use super::{LAWS, SHAPES, find};

    #[test]
    fn codes_ascend_and_are_unique() {
        let codes: Vec<_> = LAWS.iter().map(|l| l.code).filter(|c| *c != "RA").collect();
        assert!(codes.windows(2).all(|w| w[0] < w[1]), "{codes:?}");
        assert_eq!(LAWS.last().map(|l| l.code), Some("RA"));
    }

    #[test]
    fn every_law_has_every_text() {
        for l in LAWS {
            for text in [l.protects, l.bad, l.repaired, l.fix] {
                assert!(text.len() > 10, "{}: {text:?}", l.code);
            }
            assert_ne!(l.bad, l.repaired, "{}", l.code);
            assert!(!l.title.ends_with('.') && !l.title.contains('\n'), "{}", l.code);
            for shape in l.shape.split(", ") {
                assert!(SHAPES.iter().any(|(s, _)| *s == shape), "{}: {}", l.code, l.shape);
            }
        }
    }

    #[test]
    fn laws_are_found_whatever_the_case() {
        assert_eq!(find("rl104").map(|l| l.code), Some("RL104"));
        assert_eq!(find("RL999"), None);
    }
}

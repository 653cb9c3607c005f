//! Which laws a profile leaves out, and why. Pure data beside the catalogue: what is not named here runs. There is no other
//! way to leave a law out.
//!
//! A law is left out only where a faithful policy of that kind would break it, because such a policy has no words for what
//! the law asks. A law that finds nothing to hold on to there (no peer, no child, no repair) runs all the same, so that a
//! policy which does write such a thing is held to it.

use crate::model::Profile;

/// Laws that a profile leaves out for one reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// Codes, ascending.
    pub codes: &'static [&'static str],
    /// The reason, lower case, no period: what such a policy has no words for.
    pub why: &'static str,
}

const GATEWAY: &[LeftOut] = &[
    LeftOut {
        codes: &["RL001"],
        why: "a gateway file names no workflow, operation, purpose or contract of the work that passes",
    },
    LeftOut {
        codes: &["RL009"],
        why: "a gateway file states some ceilings only; what it leaves open is shown as `no limit` in the worst case",
    },
    LeftOut {
        codes: &["RL010"],
        why: "a gateway file has no word for most facts of a request; a role that a fact of the policy does fill is asked \
              for by its law",
    },
    LeftOut { codes: &["RL102"], why: "a gateway passes the body on whole; no file picks fields for one receiver" },
    LeftOut {
        codes: &["RL105"],
        why: "a gateway's guard changes a text and judges it in one step; no other verifies it",
    },
    LeftOut { codes: &["RL108"], why: "a gateway writes its log after a call; no decision is committed before it" },
    LeftOut {
        codes: &["RL109"],
        why: "a gateway keeps nothing that outlives the request; trying again after an unknown outcome is rejected still",
    },
    LeftOut { codes: &["RL117"], why: "a gateway's work ends where it hands the answer over; who asked adopts it" },
    LeftOut { codes: &["RL209"], why: "a gateway's keys are revoked in its own store; no file says that one was" },
    LeftOut { codes: &["RL801"], why: "a gateway passes the body on whole; no file says which fields it holds" },
];

const CHOICE: &[LeftOut] = &[
    LeftOut {
        codes: &["RL001", "RL002", "RL003", "RL004", "RL005", "RL007", "RL008", "RL009", "RL010"],
        why: "an option has no target, limits or pins: whoever embeds the decision declares them",
    },
    LeftOut {
        codes: &[
            "RL101", "RL102", "RL103", "RL104", "RL105", "RL106", "RL107", "RL108", "RL109", "RL110", "RL111", "RL112",
            "RL113", "RL114", "RL115", "RL117", "RL201", "RL202", "RL203", "RL204", "RL205", "RL206", "RL207", "RL208",
            "RL209",
        ],
        why: "no work leaves by this table, so that there is no gate to pass",
    },
    LeftOut {
        codes: &[
            "RL301", "RL302", "RL303", "RL304", "RL305", "RL306", "RL307", "RL308", "RL309", "RL310", "RL311", "RL312",
            "RL313",
        ],
        why: "nothing is sent, so that nothing fails and falls back",
    },
    LeftOut {
        codes: &["RL401", "RL403", "RL404", "RL405", "RL406", "RL409", "RL501", "RL502"],
        why: "an option is neither remote nor a reviewer, and no filter is mandatory",
    },
    LeftOut { codes: &["RL408"], why: "an option may be opened by the very fact that the options are ordered by" },
    LeftOut {
        codes: &["RL602", "RL603", "RL604", "RL705", "RL707", "RL801"],
        why: "an option carries nothing: there is no ceiling, wait, outcome or projection",
    },
];

/// What a profile leaves out.
#[must_use]
pub fn left_out(profile: Profile) -> &'static [LeftOut] {
    match profile {
        Profile::Strict => &[],
        Profile::Gateway => GATEWAY,
        Profile::Choice => CHOICE,
    }
}

/// Whether a law runs in a profile.
#[must_use]
pub fn runs(profile: Profile, code: &str) -> bool {
    left_out(profile).iter().all(|l| !l.codes.contains(&code))
}

/// Laws of the strict profile that are decided by the proof or by the lowering, ascending.
pub const STRICT_LAWS: &[&str] = &[
    "RA", "RL001", "RL002", "RL003", "RL004", "RL005", "RL006", "RL007", "RL008", "RL009", "RL010", "RL101", "RL102",
    "RL103", "RL104", "RL105", "RL106", "RL107", "RL108", "RL109", "RL110", "RL111", "RL112", "RL113", "RL114",
    "RL115", "RL116", "RL117", "RL201", "RL202", "RL203", "RL204", "RL205", "RL206", "RL207", "RL208", "RL209",
    "RL301", "RL302", "RL303", "RL304", "RL305", "RL306", "RL307", "RL308", "RL309", "RL310", "RL311", "RL312",
    "RL313", "RL401", "RL402", "RL403", "RL404", "RL405", "RL406", "RL407", "RL408", "RL409", "RL501", "RL502",
    "RL601", "RL602", "RL603", "RL604", "RL701", "RL702", "RL703", "RL704", "RL705", "RL706", "RL707", "RL801",
    "RL802", "RL803", "RL901", "RL902", "RL903",
];

/// The laws that speak in a profile, ascending.
#[must_use]
pub fn laws_of(profile: Profile) -> Vec<&'static str> {
    STRICT_LAWS.iter().copied().filter(|l| runs(profile, l)).collect()
}

#[cfg(test)]
mod tests {
    use super::{left_out, runs};
    use crate::laws::catalogue::find;
    use crate::model::Profile;

    #[test]
    fn what_is_left_out_is_a_law_named_once_and_has_a_reason() {
        for profile in Profile::ALL {
            let mut seen = std::collections::BTreeSet::new();
            for l in left_out(*profile) {
                assert!(l.why.split_whitespace().count() > 5 && !l.why.ends_with('.'), "{:?}", l.codes);
                for code in l.codes {
                    assert!(find(code).is_some() && seen.insert(code), "{code}");
                    assert!(!runs(*profile, code), "{code}");
                }
            }
        }
    }

    #[test]
    fn strict_leaves_nothing_out_and_no_profile_an_assertion() {
        assert!(left_out(Profile::Strict).is_empty());
        assert!(Profile::ALL.iter().all(|p| runs(*p, "RA")));
    }
}

//! Which laws a profile leaves out, as far as the reference decides them (DESIGN.md, reading 31, and the page of a choice).

use roadlaw_compiler::model::Profile;

/// The law is asked for in this profile.
#[must_use]
pub fn runs(profile: Profile, law: &str) -> bool {
    match profile {
        Profile::Strict => true,
        // A gateway's file knows neither a payload per receiver, nor a second judge, nor records that outlive a request;
        // who asked a gateway adopts the answer, out of its sight.
        Profile::Gateway => !["RL102", "RL105", "RL108", "RL109", "RL117"].contains(&law),
        // Nothing is sent.
        Profile::Choice => {
            ["RA", "RL402", "RL601", "RL701", "RL702", "RL704", "RL706", "RL802", "RL803"].contains(&law)
        }
    }
}

//! Source A, 3.1: what the verifier accepts and rejects.

use crate::support::{accepted, rejected, rejected_on_a_run, shown};

/// The facts of the counterexample are among those found.
fn shows(id: &str, law: &str, facts: &[(&str, &str)]) {
    let found = shown(&rejected(id, &[law]), law);
    for (name, value) in facts {
        assert!(found.iter().any(|(n, v)| n == name && v == value), "{id}: {name} = {value} is not in {found:?}");
    }
}

crate::rows! {
    AP01 { accepted("AP01") }
    AP02 { rejected_on_a_run("AP02", &["RL101"]) }
    AP03 { rejected_on_a_run("AP03", &["RL105", "RL104"]) }
    AP04 { rejected_on_a_run("AP04", &["RL105", "RL104"]) }
    AP06 { rejected_on_a_run("AP06", &["RL106"]) }
    AP07 { shows("AP07", "RL402", &[("price[a]", "0")]) }
    AP08 {
        let found = rejected("AP08", &["RL109"]);
        assert!(found[0].message.ends_with("durable by: paid"), "{}", found[0].message);
        shows("AP08", "RL109", &[("reach", "false")]);
    }
    AP09 {
        let found = rejected("AP09", &["RL109"]);
        assert!(found[0].message.ends_with("durable by: reconcilable"), "{}", found[0].message);
        shows("AP09", "RL109", &[("reach", "false")]);
    }
    AP11 { rejected_on_a_run("AP11", &["RL109"]) }
    AP12 { rejected_on_a_run("AP12", &["RL110"]) }
    AP13 { rejected_on_a_run("AP13", &["RL112"]) }
    AP14 { rejected("AP14", &["RL002"]); }
    AP15 { rejected("AP15", &["RL002"]); }
    AP16 { rejected("AP16", &["RL002", "RL008"]); }
    AP18 { rejected("AP18", &["RL703"]); }
    AP19 { rejected("AP19", &["RL003"]); }
    AP20 { rejected("AP20", &["RL003"]); }
    AP22 { rejected("AP22", &["RL003"]); }
    AP23 { rejected("AP23", &["RL003"]); }
    AP25 { rejected_on_a_run("AP25", &["RL115"]) }
    AP26 { rejected_on_a_run("AP26", &["RL102"]) }
    AP27 { rejected_on_a_run("AP27", &["RL301"]) }
    AP28 { rejected_on_a_run("AP28", &["RL305"]) }
    AP30 { rejected_on_a_run("AP30", &["RL205", "RL104"]) }
    AP31 { rejected_on_a_run("AP31", &["RL304"]) }
    AP32 { rejected_on_a_run("AP32", &["RL304"]) }
    AP33 { rejected("AP33", &["RL007"]); }
    AP34 { rejected_on_a_run("AP34", &["RL201"]) }
    AP36 { rejected_on_a_run("AP36", &["RL201"]) }
    AP37 { rejected("AP37", &["RL601"]); }
    AP38 { rejected_on_a_run("AP38", &["RL203"]) }
    AP40 { rejected_on_a_run("AP40", &["RL203"]) }
    AP41 { rejected_on_a_run("AP41", &["RL205"]) }
    AP42 { rejected_on_a_run("AP42", &["RL105"]) }
    AP43 {
        // Two runs that differ in the price alone.
        let found = rejected("AP43", &["RL402"]);
        let w = found[0].witness.as_ref().expect("two runs");
        let differ: Vec<&str> = w.facts.iter().zip(&w.other_facts).filter(|(a, b)| a != b).map(|(a, _)| a.name.as_str()).collect();
        assert_eq!(differ, ["price[a]"]);
    }
    AP44 { rejected("AP44", &["RL402"]); }
    AP45 { shows("AP45", "RL404", &[("class", "private"), ("class", "restricted")]) }
    AP46 { shows("AP46", "RL701", &[("weight", "40")]) }
    AP47 { rejected("AP47", &["RL005"]); }
    AP48 { rejected("AP48", &["RL803"]); }
    AP49 { accepted("AP49") }
    AP50 { rejected("AP50", &["RL803"]); }
    AP51 { rejected("AP51", &["RL802"]); }
    AP53 { rejected_on_a_run("AP53", &["RL308"]) }
    AP54 { rejected("AP54", &["RL704"]); }
    AP55 { rejected("AP55", &["RL602"]); }
    AP56 { rejected("AP56", &["RL604"]); }
    AP57 { rejected("AP57", &["RL004"]); }
    AP58 { rejected("AP58", &["RL005"]); }
}

//! Questions, records, exports and what own nodes are for.

use super::*;

const BETA: &str = "road beta  : native portal to beta with view { limits all";

fn asking(question: &str) -> String {
    with(BASE, &[(BETA, &format!("{BETA} {question}"))])
}

#[test]
fn a_question_is_the_policys_own_but_for_what_the_road_names() {
    let m = model(&asking("question { rubric \"r@1\" }"));
    let own = &road(&m, "alpha").question;
    assert_eq!((own.input.as_str(), own.rubric.as_deref(), own.contract.as_str()), ("i@1", None, "o@1"));
    let other = &road(&m, "beta").question;
    assert_eq!((other.input.as_str(), other.rubric.as_deref(), other.contract.as_str()), ("i@1", Some("r@1"), "o@1"));
    assert_eq!(own.difference(other), ["rubric"]);
    let m = model(&asking("question { contract \"o@1\" input \"i@1\" }"));
    assert!(road(&m, "alpha").question.difference(&road(&m, "beta").question).is_empty());
}

#[test]
fn slips_in_questions_are_told_where_they_are() {
    error(&asking("question { rubrik \"r@1\" }"), "U001", "rubrik", "did you mean `rubric`?");
    error(&asking("question { \"rubric\" \"r@1\" }"), "U001", "\"rubric\"", "");
    error(&asking("question { rubric \"r@1\" rubric \"r@2\" }"), "U002", "rubric", "");
    error(&asking("question { rubric \"r@1\" } question { }"), "U002", "question", "");
    error(&asking("question { rubric \" \" }"), "U003", "\" \"", "a version");
    error(&asking("question { rubric plain }"), "U003", "plain", "a version");
    error(&asking("question { }"), "U008", "question", "the policy's own");
}

#[test]
fn rl309_no_edge_declares_another_question() {
    let loops = "accept.negative -> refused(answer)";
    assert!(BASE.contains(loops), "the base policy has changed");
    let asks = "accept.negative -loop-> classify changes { question } takes rounds";
    error(&with(BASE, &[(loops, asks)]), "RL309", "question", "drop `question`");
    let repairs = "accept.negative -> repair(home) -loop-> classify changes { question } takes rounds\n\
                   repair(home).failed -> refused(repair)";
    let out = low(&with(BASE, &[(loops, repairs)]));
    let codes: Vec<&str> = out.diagnostics.iter().filter(|d| d.message.contains("repair")).map(|d| d.code).collect();
    assert_eq!(codes, ["U009"], "{}", told(&out));
}

//! Codes of the outcomes that a run itself reads: numbers, since they are compared at every step.

pub(crate) const FAILED: u8 = 2;
pub(crate) const UNAVAILABLE: u8 = 8;
pub(crate) const FAILED_BEFORE_SUBMIT: u8 = 9;
pub(crate) const REFUSED: u8 = 10;
pub(crate) const FAILED_AFTER_SUBMIT: u8 = 11;
pub(crate) const DECLINED: u8 = 17;
pub(crate) const EXPIRED: u8 = 18;
pub(crate) const NEGATIVE: u8 = 21;
pub(crate) const DUPLICATE: u8 = 24;
pub(crate) const KNOWN_NO_EFFECT: u8 = 27;
pub(crate) const KNOWN_EFFECT: u8 = 28;
pub(crate) const KNOWN_FAILED: u8 = 29;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::OUTCOMES;

    #[test]
    fn codes_are_those_of_the_words() {
        let codes = [
            (FAILED, "failed"),
            (UNAVAILABLE, "unavailable"),
            (FAILED_BEFORE_SUBMIT, "failed_before_submit"),
            (REFUSED, "refused"),
            (FAILED_AFTER_SUBMIT, "failed_after_submit"),
            (DECLINED, "declined"),
            (EXPIRED, "expired"),
            (NEGATIVE, "negative"),
            (DUPLICATE, "duplicate"),
            (KNOWN_NO_EFFECT, "known_no_effect"),
            (KNOWN_EFFECT, "known_effect"),
            (KNOWN_FAILED, "known_failed"),
        ];
        for (code, word) in codes {
            assert_eq!(OUTCOMES.get(usize::from(code)).copied(), Some(word));
        }
    }
}

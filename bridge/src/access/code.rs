//! One-time sign-in codes: 10 minutes, one use, void after five wrong tries.
//!
//! They live in memory only and die with the bridge. A wrong try cannot be told apart from a try at another code, so
//! it counts against every code there is.

use rex_shared::ids::Millis;
use std::fmt;
use subtle::ConstantTimeEq as _;

const LIFE_MS: i64 = 10 * 60 * 1000;
const TRIES: u8 = 5;
/// Codes that can wait at once; a new one pushes out the oldest.
const WAITING: usize = 8;
/// Digits and letters without the four that are misread: 32 signs, 5 bits each.
const SIGNS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH: usize = 8;

/// Eight signs in two groups, such as `7KQM-2XPD`: 40 bits, of which an attacker may guess five.
#[derive(Clone, PartialEq, Eq)]
pub struct Code([u8; LENGTH]);

impl Code {
    fn new() -> Result<Self, getrandom::Error> {
        let mut signs = [0_u8; LENGTH];
        getrandom::fill(&mut signs)?;
        Ok(Self(signs.map(|bits| SIGNS[usize::from(bits & 31)])))
    }

    /// Reads what a person typed: any case, with or without the hyphen, O for 0 and I or L for 1.
    fn typed(text: &str) -> Option<Self> {
        let mut signs = [0_u8; LENGTH];
        let mut length = 0;
        for sign in text.bytes().filter(|sign| !matches!(sign, b'-' | b' ')) {
            let sign = match sign.to_ascii_uppercase() {
                b'O' => b'0',
                b'I' | b'L' => b'1',
                other => other,
            };
            if !SIGNS.contains(&sign) {
                return None;
            }
            *signs.get_mut(length)? = sign;
            length += 1;
        }
        (length == LENGTH).then_some(Self(signs))
    }

    /// The code as it is shown and put into a sign-in link.
    pub fn reveal(&self) -> String {
        let signs = String::from_utf8_lossy(&self.0);
        format!("{}-{}", &signs[..4], &signs[4..])
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(…)")
    }
}

/// A code that waits to be used.
pub(super) struct Waiting {
    code: Code,
    until: Millis,
    tries_left: u8,
}

/// The codes that wait to be used.
#[derive(Default)]
pub(super) struct Codes(Vec<Waiting>);

impl Codes {
    /// A new code.
    pub(super) fn issue(&mut self, now: Millis) -> Result<Code, getrandom::Error> {
        self.drop_old(now);
        if self.0.len() == WAITING {
            self.0.remove(0);
        }
        let code = Code::new()?;
        self.0.push(Waiting {
            code: code.clone(),
            until: Millis(now.0 + LIFE_MS),
            tries_left: TRIES,
        });
        Ok(code)
    }

    /// Uses a code up. `None` is all that is said of a wrong, used, old or void one.
    pub(super) fn redeem(&mut self, typed: &str, now: Millis) -> Option<Waiting> {
        self.drop_old(now);
        let typed = Code::typed(typed);
        let mut found = None;
        for (at, waiting) in self.0.iter().enumerate() {
            if typed
                .as_ref()
                .is_some_and(|typed| waiting.code.0.ct_eq(&typed.0).into())
            {
                found = Some(at);
            }
        }
        if let Some(at) = found {
            return Some(self.0.remove(at));
        }
        for waiting in &mut self.0 {
            waiting.tries_left -= 1;
        }
        self.0.retain(|waiting| waiting.tries_left > 0);
        None
    }

    /// Takes a code back that nobody was signed in with after all. It is as good, and as old, as it was.
    pub(super) fn put_back(&mut self, code: Waiting) {
        self.0.push(code);
    }

    /// Makes every code void.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    fn drop_old(&mut self, now: Millis) {
        self.0.retain(|waiting| waiting.until > now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Millis = Millis(1_000_000);

    #[test]
    fn a_code_works_once() {
        let mut codes = Codes::default();
        let code = codes.issue(NOW).unwrap().reveal();
        assert!(codes.redeem(&code, NOW).is_some());
        assert!(codes.redeem(&code, NOW).is_none());
    }

    #[test]
    fn a_code_can_be_typed_the_way_people_type() {
        let mut codes = Codes::default();
        codes.0.push(Waiting {
            code: Code(*b"10QM2XPD"),
            until: Millis(NOW.0 + 1),
            tries_left: TRIES,
        });
        assert!(codes.redeem(" loqm 2xpd", NOW).is_some());
    }

    #[test]
    fn a_code_is_void_after_ten_minutes() {
        let mut codes = Codes::default();
        let code = codes.issue(NOW).unwrap().reveal();
        assert!(codes.redeem(&code, Millis(NOW.0 + LIFE_MS)).is_none());
    }

    #[test]
    fn a_code_is_void_after_five_wrong_tries() {
        let mut codes = Codes::default();
        let code = codes.issue(NOW).unwrap().reveal();
        for wrong in ["", "AAAA-AAAA", "not a code at all", "é", "AAAA-AAAAA"] {
            assert!(codes.redeem(wrong, NOW).is_none(), "{wrong}");
        }
        assert!(codes.redeem(&code, NOW).is_none());

        let code = codes.issue(NOW).unwrap().reveal();
        for _ in 0..4 {
            assert!(codes.redeem("AAAA-AAAA", NOW).is_none());
        }
        assert!(codes.redeem(&code, NOW).is_some());
    }

    #[test]
    fn a_code_is_readable_and_does_not_print() {
        let code = Code::new().unwrap();
        let shown = code.reveal();
        assert_eq!(shown.len(), 9);
        assert!(
            shown
                .bytes()
                .all(|sign| sign == b'-' || SIGNS.contains(&sign))
        );
        assert!(!format!("{code:?}").contains(&shown));
    }
}

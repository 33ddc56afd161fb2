//! A secret and its hash.

use std::fmt;
use subtle::ConstantTimeEq as _;

/// 256 random bits, written as 64 hexadecimal digits. Does not print.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new one from the operating system.
    pub fn new() -> Result<Self, getrandom::Error> {
        let mut bits = [0_u8; 32];
        getrandom::fill(&mut bits)?;
        Ok(Self(blake3::Hash::from_bytes(bits).to_hex().to_string()))
    }

    /// The secret itself, for the one answer or file that hands it over.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored of it.
    pub fn hash(&self) -> Hash {
        Hash::of(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// What is kept of a secret: its BLAKE3 hash. A secret of full entropy needs no slow hash.
#[derive(Debug, Clone, Copy)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The hash of a text that may be a secret.
    pub fn of(text: &str) -> Self {
        Self(blake3::hash(text.as_bytes()).into())
    }

    /// As it is stored.
    pub fn bytes(self) -> [u8; 32] {
        self.0
    }

    /// Whether both are of the same secret, in constant time.
    pub fn is(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_256_bits_and_does_not_print() {
        let secret = Secret::new().unwrap();
        assert_eq!(secret.reveal().len(), 64);
        assert_ne!(secret, Secret::new().unwrap());
        assert!(!format!("{secret:?}").contains(secret.reveal()));
    }

    #[test]
    fn a_hash_recognises_its_secret_and_no_other() {
        let secret = Secret::new().unwrap();
        assert!(secret.hash().is(&Hash::of(secret.reveal())));
        assert!(!secret.hash().is(&Hash::of("something else")));
    }
}

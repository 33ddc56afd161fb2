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

    /// Reads what [`Hash::to_hex`] wrote.
    pub fn from_hex(hex: &str) -> Option<Self> {
        blake3::Hash::from_hex(hex)
            .ok()
            .map(|hash| Self(hash.into()))
    }

    /// As it is stored: 64 hexadecimal digits.
    pub fn to_hex(self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
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
    fn a_hash_survives_the_database() {
        let secret = Secret::new().unwrap();
        let stored = Hash::from_hex(&secret.hash().to_hex()).unwrap();
        assert!(stored.is(&Hash::of(secret.reveal())));
        assert!(!stored.is(&Hash::of("something else")));
        assert!(Hash::from_hex("none").is_none());
    }
}

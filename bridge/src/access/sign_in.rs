//! Signed-in browsers: each has a secret of its own and can be put out alone.

use super::code::{Code, Codes};
use super::secret::{Hash, Secret};
use crate::fresh;
use rex_shared::ids::{BrowserId, Millis};
use rex_shared::wire::workspace::Browser;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// A browser that was not used for this long has to sign in again.
const UNUSED_MS: i64 = 90 * 24 * 60 * 60 * 1000;

/// A request's browser, and what ends its streams.
#[derive(Debug, Clone)]
pub struct Admitted {
    /// Which browser.
    pub browser: BrowserId,
    /// Cancelled when the browser is put out or the bridge stops.
    pub end: CancellationToken,
}

struct SignedIn {
    id: BrowserId,
    label: String,
    hash: Hash,
    created_at: Millis,
    last_used_at: Millis,
    end: CancellationToken,
}

/// The codes that wait and the browsers that are signed in.
pub struct SignIns {
    codes: Mutex<Codes>,
    browsers: Mutex<Vec<SignedIn>>,
    stop: CancellationToken,
}

impl SignIns {
    /// Nobody is signed in yet.
    pub fn new(stop: CancellationToken) -> Self {
        Self {
            codes: Mutex::default(),
            browsers: Mutex::default(),
            stop,
        }
    }

    /// A new one-time code.
    pub fn issue(&self, now: Millis) -> Result<Code, getrandom::Error> {
        lock(&self.codes).issue(now)
    }

    /// Uses a code up and signs a browser in, or `None` when the code is not good.
    pub async fn exchange(
        &self,
        typed: &str,
        label: &str,
        now: Millis,
    ) -> Result<Option<Secret>, getrandom::Error> {
        if !lock(&self.codes).redeem(typed, now) {
            return Ok(None);
        }
        let secret = Secret::new()?;
        lock(&self.browsers).push(SignedIn {
            id: fresh::id(),
            label: label.to_owned(),
            hash: secret.hash(),
            created_at: now,
            last_used_at: now,
            end: self.stop.child_token(),
        });
        Ok(Some(secret))
    }

    /// The browser whose secret this is.
    pub fn admit(&self, secret: &str, now: Millis) -> Option<Admitted> {
        let hash = Hash::of(secret);
        let mut browsers = lock(&self.browsers);
        let browser = browsers.iter_mut().find(|browser| browser.hash.is(&hash))?;
        if now.0 - browser.last_used_at.0 > UNUSED_MS {
            return None;
        }
        browser.last_used_at = now;
        Some(Admitted {
            browser: browser.id.clone(),
            end: browser.end.clone(),
        })
    }

    /// Who is signed in, for the browser that asks.
    pub fn list(&self, current: &BrowserId) -> Vec<Browser> {
        lock(&self.browsers)
            .iter()
            .map(|browser| Browser {
                browser_id: browser.id.clone(),
                label: browser.label.clone(),
                created_at: browser.created_at,
                last_used_at: browser.last_used_at,
                current: browser.id == *current,
            })
            .collect()
    }

    /// Puts one browser out and ends its streams. False when it was not there.
    pub async fn put_out(&self, id: &BrowserId) -> bool {
        let mut browsers = lock(&self.browsers);
        let before = browsers.len();
        browsers.retain(|browser| {
            if browser.id == *id {
                browser.end.cancel();
            }
            browser.id != *id
        });
        browsers.len() < before
    }

    /// Ends every sign-in, every stream and every waiting code.
    pub async fn rotate(&self) {
        lock(&self.codes).clear();
        for browser in lock(&self.browsers).drain(..) {
            browser.end.cancel();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! Wakes the follow loop when what it should follow may have changed.

use std::cell::RefCell;
use std::rc::Rc;
use std::task::{Poll, Waker};

#[derive(Debug, Default)]
struct State {
    rung: bool,
    waker: Option<Waker>,
}

/// A bell for one listener. A ring that nobody waited for is heard by the next wait.
#[derive(Debug, Clone, Default)]
pub(super) struct Bell(Rc<RefCell<State>>);

impl Bell {
    /// Rings.
    pub(super) fn ring(&self) {
        let waker = {
            let mut state = self.0.borrow_mut();
            state.rung = true;
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Waits for a ring.
    pub(super) async fn heard(&self) {
        std::future::poll_fn(|context| {
            let mut state = self.0.borrow_mut();
            if std::mem::take(&mut state.rung) {
                Poll::Ready(())
            } else {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        })
        .await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    #[test]
    fn a_ring_is_heard_once_also_by_a_later_wait() {
        let bell = Bell::default();
        assert_eq!(bell.heard().now_or_never(), None);
        bell.ring();
        bell.ring();
        assert_eq!(bell.heard().now_or_never(), Some(()));
        assert_eq!(bell.heard().now_or_never(), None);
    }
}

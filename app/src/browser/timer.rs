//! Waiting.

use js_sys::Promise;
use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use wasm_bindgen_futures::JsFuture;

/// A wait; dropping it clears the browser's timer.
#[derive(Debug)]
pub struct Sleep {
    timer: Rc<Cell<Option<i32>>>,
    done: JsFuture,
}

/// Waits so many milliseconds.
pub fn sleep(millis: u32) -> Sleep {
    let timer = Rc::new(Cell::new(None));
    let started = Rc::clone(&timer);
    let done = Promise::new(&mut |resolve, _| {
        let handle = web_sys::window().and_then(|window| {
            window
                .set_timeout_with_callback_and_timeout_and_arguments_0(
                    &resolve,
                    i32::try_from(millis).unwrap_or(i32::MAX),
                )
                .ok()
        });
        started.set(handle);
    });
    Sleep {
        timer,
        done: JsFuture::from(done),
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.done).poll(context).map(drop)
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let (Some(handle), Some(window)) = (self.timer.take(), web_sys::window()) {
            window.clear_timeout_with_handle(handle);
        }
    }
}

//! The four named locks that say which tabs may hold a stream.
//!
//! Browsers allow six HTTP/1.1 connections to one origin, for all tabs together. Four streams leave two for questions.

use js_sys::{Function, Object, Promise, Reflect};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;

const NAMES: [&str; 4] = [
    "rex-stream-1",
    "rex-stream-2",
    "rex-stream-3",
    "rex-stream-4",
];

/// A held lock; dropping it lets another tab have it.
#[derive(Debug)]
pub struct Lock {
    release: Option<Function>,
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(release) = self.release.take() {
            drop(release.call0(&JsValue::UNDEFINED));
        }
    }
}

/// Takes one of the four, if one is free. A browser without Web Locks always gets one.
pub async fn any() -> Option<Lock> {
    let Some(locks) = manager() else {
        return Some(Lock { release: None });
    };
    for name in NAMES {
        if let Some(lock) = take(&locks, name).await {
            return Some(lock);
        }
    }
    None
}

// The binding of web-sys is still marked unstable, so the one method is called by name.
fn manager() -> Option<JsValue> {
    let navigator = web_sys::window()?.navigator();
    let locks = Reflect::get(&navigator, &JsValue::from_str("locks")).ok()?;
    locks.is_object().then_some(locks)
}

async fn take(locks: &JsValue, name: &str) -> Option<Lock> {
    let request: Function = Reflect::get(locks, &JsValue::from_str("request"))
        .ok()?
        .dyn_into()
        .ok()?;
    let options = Object::new();
    drop(Reflect::set(
        &options,
        &JsValue::from_str("ifAvailable"),
        &JsValue::TRUE,
    ));

    // The lock is held until the promise that the callback returned settles; `answer` says whether it was granted.
    let release: Rc<RefCell<Option<Function>>> = Rc::default();
    let kept = Rc::clone(&release);
    let mut granted = None;
    let answer = Promise::new(&mut |resolve, _| granted = Some(resolve));
    let granted = granted?;
    let callback = Closure::once_into_js(move |lock: JsValue| -> JsValue {
        let is_granted = !lock.is_null() && !lock.is_undefined();
        let held = if is_granted {
            Promise::new(&mut |resolve, _| {
                kept.replace(Some(resolve));
            })
            .into()
        } else {
            JsValue::UNDEFINED
        };
        drop(granted.call1(&JsValue::UNDEFINED, &JsValue::from_bool(is_granted)));
        held
    });
    request
        .call3(locks, &JsValue::from_str(name), &options, &callback)
        .ok()?;
    let is_granted = JsFuture::from(answer).await.ok()?.is_truthy();
    is_granted.then(|| Lock {
        release: release.take(),
    })
}

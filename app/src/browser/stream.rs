//! A response's body, chunk by chunk as it arrives.

use gloo_net::http::{RequestBuilder, Response};
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The connection is gone, or the browser cannot read bodies as streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the connection is gone")]
pub struct Lost;

/// Ends a request and its stream when dropped.
#[derive(Debug)]
pub struct Abort(Option<web_sys::AbortController>);

impl Abort {
    /// An end for one request.
    pub fn new() -> Self {
        Self(web_sys::AbortController::new().ok())
    }

    /// Ties the request to this end, and keeps it away from the browser's cache.
    ///
    /// Firefox holds a request back while another one of the same address is open, even one of a page that is being
    /// left: after a reload the stream would wait for its own predecessor.
    pub fn tied(&self, request: RequestBuilder) -> RequestBuilder {
        let signal = self.0.as_ref().map(web_sys::AbortController::signal);
        request
            .abort_signal(signal.as_ref())
            .cache(web_sys::RequestCache::NoStore)
    }
}

impl Default for Abort {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Abort {
    fn drop(&mut self) {
        if let Some(controller) = &self.0 {
            controller.abort();
        }
    }
}

/// A body being read.
#[derive(Debug)]
pub struct Chunks {
    reader: web_sys::ReadableStreamDefaultReader,
    /// A read that was begun and not seen through: giving up a wait must not lose its bytes.
    pending: Option<JsFuture>,
}

impl Chunks {
    /// Starts reading.
    pub fn of(response: &Response) -> Result<Self, Lost> {
        let reader = response
            .body()
            .and_then(|body| body.get_reader().dyn_into().ok())
            .ok_or(Lost)?;
        Ok(Self {
            reader,
            pending: None,
        })
    }

    /// The next bytes; `None` at the end. May be dropped and called again.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, Lost> {
        let reader = &self.reader;
        let read = self
            .pending
            .get_or_insert_with(|| JsFuture::from(reader.read()));
        let result = read.await;
        self.pending = None;
        let result = result.map_err(|_| Lost)?;
        let field = |name: &str| Reflect::get(&result, &JsValue::from_str(name)).map_err(|_| Lost);
        if field("done")?.is_truthy() {
            return Ok(None);
        }
        let bytes: Uint8Array = field("value")?.dyn_into().map_err(|_| Lost)?;
        Ok(Some(bytes.to_vec()))
    }
}

//! Bodies with an end: one that comes in too slowly, and one that goes out to a browser that was put out.

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Sleep;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// The body took longer than it may.
#[derive(Debug, thiserror::Error)]
#[error("the body of the call took too long")]
pub(super) struct TooSlow;

/// A request body that fails when it is not complete within `limit` of its first poll.
pub(super) fn timed(body: Body, limit: Duration) -> Body {
    if body.is_end_stream() {
        return body;
    }
    Body::new(Timed {
        body,
        limit,
        sleep: None,
    })
}

struct Timed {
    body: Body,
    limit: Duration,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl HttpBody for Timed {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let limit = self.limit;
        let sleep = self
            .sleep
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
        if sleep.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Some(Err(Box::new(TooSlow))));
        }
        Pin::new(&mut self.body).poll_frame(cx).map_err(Into::into)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A response body that ends when `end` is cancelled. An answer of known length is left alone: it is short, and a
/// part of it would be no answer.
pub(super) fn until(body: Body, end: CancellationToken) -> Body {
    if body.size_hint().exact().is_some() {
        return body;
    }
    Body::new(Until {
        body,
        end: Box::pin(end.cancelled_owned()),
    })
}

struct Until {
    body: Body,
    end: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl HttpBody for Until {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.end.as_mut().poll(cx).is_ready() {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.body).poll_frame(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt as _;

    fn endless() -> Body {
        Body::from_stream(futures_util::stream::pending::<Result<Bytes, std::io::Error>>())
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_trickles_in_fails_after_its_time() {
        let mut body = timed(endless(), Duration::from_secs(30));
        let started = tokio::time::Instant::now();
        assert!(body.frame().await.unwrap().is_err());
        assert_eq!(started.elapsed(), Duration::from_secs(30));
    }

    #[tokio::test]
    async fn a_stream_ends_when_its_browser_is_put_out() {
        let end = CancellationToken::new();
        let mut body = until(endless(), end.clone());
        let reading = tokio::spawn(async move { body.frame().await.is_none() });
        end.cancel();
        assert!(reading.await.unwrap());
    }
}

//! Bytes under an address that only this page knows, for images.

use js_sys::{Array, Uint8Array};
use web_sys::{Blob, BlobPropertyBag, Url};

/// An address of bytes. It ends when it is dropped.
#[derive(Debug)]
pub struct BlobAddress(String);

impl BlobAddress {
    /// Gives bytes of a media type an address.
    pub fn of(bytes: &[u8], media_type: &str) -> Option<Self> {
        let parts = Array::of1(&Uint8Array::from(bytes));
        let options = BlobPropertyBag::new();
        options.set_type(media_type);
        let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &options).ok()?;
        Url::create_object_url_with_blob(&blob).ok().map(Self)
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Drop for BlobAddress {
    fn drop(&mut self) {
        // One that is no longer known needs no end.
        drop(Url::revoke_object_url(&self.0));
    }
}

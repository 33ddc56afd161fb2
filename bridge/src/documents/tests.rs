//! Documents of a real folder.

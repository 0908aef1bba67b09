//! The `tile` and `ptx` dialects.
pub mod element;

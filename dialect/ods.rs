//! Typed ops and their builders, made from `tile.td` and `ptx.td` by `melior::dialect!`.
//!
//! [`tile`](crate::tile) and [`ptx`](crate::ptx) build most of them with less: an op whose operands come in groups needs
//! an `operandSegmentSizes` here.
#![allow(missing_docs, reason = "melior documents the ops, and not what it makes of them")]

melior::dialect! {
    name: "tile",
    files: ["tile.td"],
    include_directory_env_vars: ["CARGO_MANIFEST_DIR"],
}
melior::dialect! {
    name: "ptx",
    files: ["ptx.td"],
    include_directory_env_vars: ["CARGO_MANIFEST_DIR"],
}

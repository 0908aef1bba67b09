//! Remarks for MLIR's remark engine, which a program's user turns on (`--remarks-filter`).
//!
//! The category of a remark is the name of its pass. What costs something to find out is asked for only where the
//! context has an engine.

use crate::reference;
use melior::ir::Location;
use melior::ir::operation::OperationRef;
use mlir_sys::{MlirContext, MlirLocation, MlirStringRef, mlirOperationGetContext};

/// What came of it; the numbers are those of remarks.cpp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// It was done.
    Passed = 0,
    /// It was not done, and that costs.
    Missed = 1,
    /// A number to know.
    Analysis = 2,
}

/// The texts that a remark is made of.
#[derive(Debug)]
pub struct Remark<'a> {
    /// What came of it.
    pub kind: Kind,
    /// The name of the pass.
    pub category: &'a str,
    /// What is remarked.
    pub name: &'a str,
    /// The function that it is about.
    pub function: &'a str,
    /// Keys and values.
    pub arguments: &'a [(&'a str, String)],
}

#[repr(C)]
struct RawArgument {
    key: MlirStringRef,
    value: MlirStringRef,
}

#[repr(C)]
struct RawRemark {
    kind: Kind,
    location: MlirLocation,
    category: MlirStringRef,
    name: MlirStringRef,
    function: MlirStringRef,
    arguments: *const RawArgument,
    num_arguments: isize,
}

unsafe extern "C" {
    fn ptxTileHasRemarkEngine(context: MlirContext) -> bool;
    fn ptxTileRemark(remark: &RawRemark) -> bool;
}

/// Whether anyone may listen.
pub fn are_on(op: OperationRef) -> bool {
    unsafe { ptxTileHasRemarkEngine(mlirOperationGetContext(op.to_raw())) }
}

/// Emits a remark; false where nobody asked for such a one.
pub fn remark(location: Location, remark: &Remark) -> bool {
    let arguments: Vec<RawArgument> = remark
        .arguments
        .iter()
        .map(|(key, value)| RawArgument { key: reference(key), value: reference(value) })
        .collect();
    let raw = RawRemark {
        kind: remark.kind,
        location: location.to_raw(),
        category: reference(remark.category),
        name: reference(remark.name),
        function: reference(remark.function),
        arguments: arguments.as_ptr(),
        num_arguments: arguments.len() as isize,
    };
    unsafe { ptxTileRemark(&raw) }
}

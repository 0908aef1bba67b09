//! What the programs share: from Rust's arguments to a C `main` that ends the process.

use std::ffi::{CString, c_char, c_int};
use std::os::unix::ffi::OsStringExt;

/// The version that `--version` prints.
pub const VERSION: *const c_char = concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast();

/// Calls `main` with the arguments of this process and exits with its result.
pub fn run(main: impl FnOnce(c_int, *mut *mut c_char) -> c_int) -> ! {
    let arguments =
        std::env::args_os().map(|argument| CString::new(argument.into_vec()).expect("arguments have no NUL"));
    let arguments: Vec<CString> = arguments.collect();
    let mut argv: Vec<*mut c_char> = arguments.iter().map(|argument| argument.as_ptr().cast_mut()).collect();
    argv.push(std::ptr::null_mut());
    std::process::exit(main(arguments.len() as c_int, argv.as_mut_ptr()))
}

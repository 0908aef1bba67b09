//! What cargo-fuzz runs on layout.rs.

#![no_main]

#[path = "../any_layout.rs"]
mod any_layout;
#[path = "../layout.rs"]
mod layout;
#[path = "../said.rs"]
mod said;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err(why) = layout::check(data, &layout::TESTED) {
        panic!("{why}");
    }
});

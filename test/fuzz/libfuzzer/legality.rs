//! What cargo-fuzz runs on legality.rs.

#![no_main]

#[path = "../any_layout.rs"]
mod any_layout;
#[path = "../legality.rs"]
mod legality;
#[path = "../said.rs"]
mod said;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err(why) = legality::check(data, &legality::TESTED) {
        panic!("{why}");
    }
});

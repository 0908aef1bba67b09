//! What cargo-fuzz runs on opcode.rs.

#![no_main]

#[path = "../opcode.rs"]
mod opcode;
#[path = "../said.rs"]
mod said;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err(why) = opcode::check(data, &opcode::TESTED) {
        panic!("{why}");
    }
});

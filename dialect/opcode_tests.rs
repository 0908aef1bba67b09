use super::*;
use proptest::prelude::*;

#[track_caller]
fn refused(text: &str, why: &str) {
    assert_eq!(read(text).expect_err("it is illegal").to_string(), why);
}

#[test]
fn text_that_is_no_opcode() {
    refused("mov.b32$x", "opcode must match [a-z][A-Za-z0-9_.:]*, found \"mov.b32$x\"");
    refused("mov.b32\n", "opcode must match [a-z][A-Za-z0-9_.:]*, found \"mov.b32\\n\"");
    for text in ["mov.b32; ret", "mov\u{e9}", ""] {
        assert!(read(text).unwrap_err().to_string().starts_with("opcode must match"), "{text}");
    }
}

#[test]
fn globs() {
    for (text, pattern, is) in [
        ("ld.b32", "ld.b32", true),
        ("ld.b32", "ld.*", true),
        ("ld.b32", "*b32", true),
        ("ld.global.b32", "ld.*.b32", true),
        ("ld.b32", "ld.*.b32", false),
        ("ld.global.v2.b32", "*.global*.b32", true),
        ("ld.b32", "ld", false),
        ("ld.b3", "ld.b*32", false),
        ("", "*", true),
    ] {
        assert_eq!(is_like(text, pattern), is, "{text} {pattern}");
    }
}

#[test]
fn a_long_opcode_is_not_looked_at() {
    let text = format!("mov{}", ".b32".repeat(250_000));
    let why = read(&text).unwrap_err().to_string();
    assert_eq!(why, "opcode has 1000003 characters, more than 256; no instruction has so many");
    assert_eq!(canonical(&text), text);
    let longest = INSTRUCTIONS.iter().flat_map(Instruction::variants).map(|variant| variant.to_string().len()).max();
    assert!(longest.unwrap() <= LONGEST / 2, "{longest:?}");
}

#[test]
fn what_ptx_has_and_no_record_has_is_no_typing_error() {
    let why = |text: &str| read(text).unwrap_err().to_string();
    let lacks = "'mma' is an instruction of PTX that is not supported yet; an op of nvvm, or llvm.inline_asm, has it";
    assert_eq!(why("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), lacks);
    assert_eq!(why("mm.b32"), "unknown instruction 'mm'; near it are fma, ld, mad and max");
}

#[test]
fn opcodes_are_listed_by_glob_or_by_how_they_begin() {
    let listed = |pattern: &str| like(pattern).unwrap().iter().map(Variant::to_string).collect::<Vec<_>>();
    assert_eq!(listed("mov.pred"), ["mov.pred", "mov.pred"]);
    assert!(listed("mov.v4").contains(&"mov.v4.b32".into()));
    assert_eq!(listed("mov"), listed("mov.*"));
    assert!(like("mo").unwrap_err().to_string().starts_with("no opcode is like 'mo'; mnemonics near it are mov"));
}

proptest! {
    #[test]
    fn no_opcode_panics(text in "\\PC{0,30}|[a-z]{1,4}(\\.[a-z0-9:]{0,4}){0,4}") {
        let _ = read(&text);
        let _ = is_like("ld.global.b32", &text);
    }
}

#[test]
fn every_spelling_is_an_opcode() {
    for variant in INSTRUCTIONS.iter().flat_map(Instruction::variants) {
        assert!(read(&variant.to_string()).unwrap().iter().any(|it| std::ptr::eq(it.form, variant.form)));
    }
}

use super::*;
use crate::instruction::{INSTRUCTIONS, lookup};
use proptest::prelude::*;

fn variant(opcode: &str) -> Variant {
    let (mnemonic, modifiers) = opcode.split_once('.').unwrap();
    let mut all = lookup(mnemonic).unwrap().variants();
    all.find(|variant| variant.modifiers() == modifiers && variant.form.named().is_some()).unwrap()
}

#[track_caller]
fn refused(result: Result<impl fmt::Debug>, why: &str) {
    assert_eq!(result.expect_err("it is illegal").to_string(), why);
}

#[test]
fn a_name_is_one_register_and_each_register_has_a_reader() {
    for (i, register) in SPECIAL_REGISTERS.iter().enumerate() {
        assert!(SPECIAL_REGISTERS[..i].iter().all(|other| other.name != register.name), "{} twice", register.name);
        for source in register.sources() {
            assert_eq!(special(&source.to_string()).unwrap().to_string(), source.to_string());
            let mut named = INSTRUCTIONS.iter().flat_map(Instruction::variants).filter(|variant| {
                variant.form.named() == Some(Named::SpecialRegister) && special_fits(variant, &source).is_ok()
            });
            assert!(named.next().is_some(), "nothing reads {source}");
        }
    }
}

#[test]
fn unknown_names_are_told_what_is_near() {
    refused(special("tix"), "unknown special register \"tix\"; near it are tid, ntid, ctaid, smid");
    refused(special("clock32"), "unknown special register \"clock32\"; near it are clock, clock64, clock_hi, laneid");
    refused(special("%tid.x"), "special register \"%tid.x\" is written without '%': \"tid.x\"");
    refused(special("tid.q"), "special register tid has no component 'q'; it has x, y, z and w");
    refused(special("laneid.x"), "special register laneid has no components; write \"laneid\"");
    refused(
        special("envreg32"),
        "unknown special register \"envreg32\"; near it are envreg2, envreg3, envreg12, envreg22",
    );
}

#[test]
fn a_register_is_read_at_its_own_width() {
    let fits = |opcode: &str, name: &str| special_fits(&variant(opcode), &special(name).unwrap());
    for (opcode, name) in
        [("mov.u32", "tid.x"), ("mov.b16", "ntid.w"), ("mov.u16", "gridid"), ("mov.v4.s32", "clusterid")]
    {
        fits(opcode, name).unwrap();
    }
    let wide = "special register clock64 is 64 bits wide, mov.u32 reads 32; use mov.u64";
    refused(fits("mov.u32", "clock64"), wide);
    let narrow = "special register laneid is 32 bits wide, mov.u16 reads 16; use mov.u32";
    refused(fits("mov.u16", "laneid"), narrow);
    let whole = "special register tid has four components; read one, such as \"tid.x\", or all by mov.v4.u32";
    refused(fits("mov.u32", "tid"), whole);
    let one = "mov.v4.u32 reads a special register that is a vector as a whole, tid.x is one register; use mov.u32";
    refused(fits("mov.v4.u32", "tid.x"), one);
    refused(fits("mov.pred", "laneid"), "special register laneid is 32 bits wide, mov.pred reads 1; use mov.u32");
}

#[test]
fn a_symbol_has_an_address_of_its_kind() {
    let at = |opcode: &str, definition: &Definition, offset| symbol(&variant(opcode), "s", Some(definition), offset);
    let memory = |space| Definition::Variable(Space::Memory(space));
    for (opcode, definition) in [
        ("mov.u64", memory(0)),
        ("mov.s64", memory(1)),
        ("mov.u32", memory(3)),
        ("mov.b64", memory(4)),
        ("mov.b64", Definition::Function { kernel: false }),
    ] {
        at(opcode, &definition, None).unwrap();
    }
    assert_eq!(
        at("mov.u64", &Definition::Function { kernel: true }, None).unwrap().needs,
        Needs { ptx: 31, sm: 35, ..Needs::NOTHING }
    );
    let found = symbol(&variant("mov.u64"), "s", None, None);
    refused(found, "symbol @s is no variable or function of the gpu.module");
    let narrow = "symbol @s is a variable in global memory, whose address mov.u32 does not take; use mov.u64, mov.s64 or mov.b64";
    refused(at("mov.u32", &memory(1), Some(16)), narrow);
    let constant = "symbol @s is a function, to whose address PTX adds no constant; take out the offset";
    refused(at("mov.u64", &Definition::Function { kernel: false }, Some(4)), constant);
    let registers = Definition::Variable(Space::Register);
    refused(at("mov.u64", &registers, None), "symbol @s is in registers, which have no address");
    let other = Definition::Other("gpu.binary".into());
    refused(at("mov.u64", &other, None), "symbol @s is a 'gpu.binary'; variables and functions have an address");
}

#[test]
fn each_kind_of_symbol_is_that_of_a_definition() {
    for kind in SYMBOL_KINDS {
        let definition = match kind.space {
            Some(space) => Definition::Variable(Space::Memory(space)),
            None => Definition::Function { kernel: kind.kernel },
        };
        for r#type in kind.types {
            let found = symbol(&variant(&format!("mov.{}", r#type.token)), "s", Some(&definition), None).unwrap();
            assert_eq!(found.summary, kind.summary);
        }
    }
}

proptest! {
    #[test]
    fn no_name_panics(name in ".{0,60}") {
        let _ = special(&name);
    }
}

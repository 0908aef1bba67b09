use super::*;
use proptest::prelude::*;
use std::sync::LazyLock;

fn spellings() -> &'static [Variant] {
    static ALL: LazyLock<Vec<Variant>> =
        LazyLock::new(|| INSTRUCTIONS.iter().flat_map(Instruction::variants).collect());
    &ALL
}

#[test]
fn mov_has_its_twelve_scalar_types() {
    let mov = lookup("mov").unwrap();
    let copies: Vec<String> = mov.variants().filter(|v| v.form.summary == "copy").map(|v| v.modifiers()).collect();
    let types = ["pred", "b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64"];
    assert_eq!(copies, types);
}

#[test]
fn a_canonical_spelling_fits_its_own_form() {
    for variant in spellings() {
        let again = variant.instruction.fit(variant.form, &variant.modifiers()).unwrap();
        assert_eq!(again.to_string(), variant.to_string());
    }
}

#[test]
fn every_operand_of_every_spelling_has_a_type_and_every_address_a_state_space() {
    for variant in spellings() {
        for operand in variant.form.operands {
            assert!(variant.type_of(operand).width > 0, "{variant} ({})", operand.name);
            assert!(!operand.address || variant.address_space().is_some(), "{variant} ({})", operand.name);
        }
    }
}

#[test]
fn every_value_that_a_type_takes_has_its_width() {
    for variant in spellings() {
        for r#type in variant.form.operands.iter().map(|operand| variant.type_of(operand)) {
            for element in r#type.types {
                let fits =
                    if r#type.maybe_wider { element.width() >= r#type.width } else { element.width() == r#type.width };
                assert!(fits, "{element} in .{}", r#type.token);
            }
        }
    }
}

#[test]
fn no_two_forms_of_one_spelling_have_the_same_operands() {
    let mut seen = std::collections::HashSet::new();
    for variant in spellings() {
        let shape: Vec<_> = variant.form.operands.iter().map(Operand::shape).collect();
        assert!(seen.insert((variant.to_string(), shape)), "{variant} has two forms of one shape");
    }
}

/// What record.td says of the fields of an operand, where the compiler of the records cannot.
#[test]
fn the_fields_of_an_operand_go_together() {
    for (instruction, form) in INSTRUCTIONS.iter().flat_map(|it| it.forms.iter().map(move |form| (it, form))) {
        let place = |what: &str| format!("{} ({}): {what}", instruction.mnemonic, form.summary);
        let addresses = form.operands.iter().filter(|it| it.address).count();
        let is_of_memory = instruction.reads_memory || instruction.writes_memory;
        assert_eq!(addresses, usize::from(is_of_memory), "{}", place("one address, where memory is read or written"));
        let results = form.values().0;
        assert!(results > 0 || instruction.writes_memory, "{}", place("it has no effect"));
        assert!(form.operands.is_sorted_by_key(|it| !it.written), "{}", place("what is written stands first"));
        for (i, operand) in form.operands.iter().enumerate() {
            let is = |what: bool, rule: &str| assert!(what, "{}", place(&format!("{}: {rule}", operand.name)));
            let is_read = !operand.written && !operand.address && operand.named.is_none();
            is(is_read || !operand.immediate, "a constant stands where a register is read");
            is(operand.immediate || !(operand.constant || operand.bounds.is_some()), "bounds are those of constants");
            is(operand.bounds.is_some() || !operand.constant, "what is a constant is bounded");
            is(!operand.negatable || (is_read && operand.registers == 1), "one register is negated");
            is(!operand.sink || (operand.written && results > 1), "of several words that are written some are sunk");
            is(!operand.joined || (operand.written && i > 0), "what is written is joined to what stands before it");
            is(!operand.cache_policy || (is_read && addresses > 0), "a cache policy is one of memory");
        }
    }
}

/// A primitive is given the sources of one thread.
#[test]
fn what_a_primitive_computes_a_thread_executes_alone() {
    for instruction in INSTRUCTIONS {
        let is_computed = instruction.forms.iter().any(|form| form.semantics.is_some());
        assert!(!(is_computed && instruction.convergent), "{}: other threads do not matter", instruction.mnemonic);
        assert!(instruction.convergent || !instruction.collective, "{}: lanes are together", instruction.mnemonic);
    }
}

#[test]
fn what_a_word_is_for_follows_from_the_spelling_and_their_number() {
    let mut seen = std::collections::HashMap::new();
    for variant in spellings() {
        let its: Vec<_> = variant.form.words().map(|operand| (operand.written, operand.address)).collect();
        let mut words: Vec<&str> = variant.tokens.iter().flatten().map(|token| token.text).collect();
        words.sort_unstable(); // they come in any order
        let first = seen.entry((variant.instruction.mnemonic, words, its.len())).or_insert_with(|| its.clone());
        assert_eq!(*first, its, "{variant} ({})", variant.form.summary);
    }
}

#[test]
fn whether_it_orders_memory_is_seen_from_the_modifiers_alone() {
    for variant in spellings() {
        let is_ordered = variant.tokens.iter().flatten().any(|token| token.ordered);
        assert_eq!(variant.instruction.is_ordered(&variant.modifiers()), is_ordered, "{variant}");
    }
    let ld = lookup("ld").unwrap();
    assert!(ld.is_ordered("global.b32.volatile") && !ld.is_ordered("weak.global.b32") && !ld.is_ordered(""));
}

#[test]
fn modifiers_come_in_any_order() {
    let ld = lookup("ld").unwrap();
    let form = &ld.forms[1];
    assert_eq!(ld.fit(form, "b32.v2.global").unwrap().to_string(), "ld.global.v2.b32");
    let lies = |modifiers| {
        let placement = form.place(modifiers);
        let missing = placement.missing().map(|position| position.name).collect::<Vec<_>>();
        (placement.strays, missing)
    };
    assert_eq!(lies("global.b32"), (vec![], vec!["vector length"]));
    assert_eq!(lies("global.v2.v2.b32"), (vec![2], vec![]));
    assert_eq!(lies("v4"), (vec![0], vec!["state space", "vector length", "type"]));
    assert_eq!(lies(""), (vec![], vec!["state space", "vector length", "type"]));
    assert!(ld.fit(form, "global.b32").is_none() && ld.fit(form, "global.v2.v2.b32").is_none());
}

proptest! {
    #[test]
    fn shuffled_modifiers_are_the_same_variant(index in 0usize..1 << 16, seed in any::<u64>()) {
        let all = spellings();
        let variant = &all[index % all.len()];
        let mut words: Vec<&str> = variant.tokens.iter().flatten().map(|token| token.text).collect();
        let turn = seed as usize % words.len();
        words.rotate_left(turn);
        if seed & 1 == 1 { words.reverse() }
        // Types keep their order.
        let is_type = |text: &&str| variant.types().any(|its| its.token == *text);
        let mut types = variant.types().map(|its| its.token);
        let words: Vec<&str> =
            words.into_iter().map(|word| if is_type(&word) { types.next().unwrap() } else { word }).collect();
        let again = variant.instruction.fit(variant.form, &words.join(".")).unwrap();
        prop_assert_eq!(again.to_string(), variant.to_string());
    }

    #[test]
    fn no_text_panics(modifiers in ".{0,40}") {
        for instruction in INSTRUCTIONS {
            for form in instruction.forms {
                let _ = instruction.fit(form, &modifiers);
            }
        }
    }
}

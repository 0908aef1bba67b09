use super::*;
use crate::layout::{Iter, Offset, Swizzle};
use proptest::prelude::*;

fn tile(shape: &[i64], element: &str, layout: Layout, space: Space) -> Word {
    Word::Tile(Tile { shape: shape.to_vec(), element: element.parse().unwrap(), space, layout })
}

/// Row-major registers.
fn registers(shape: &[i64], element: &str) -> Word {
    tile(shape, element, Layout::row_major(shape).unwrap(), Space::Register)
}

fn strided(shape: &[i64], strides: &[i64], element: &str) -> Word {
    tile(shape, element, Layout::strided(shape, strides, 0).unwrap(), Space::Register)
}

fn memory(shape: &[i64], strides: &[i64], element: &str) -> Word {
    tile(shape, element, Layout::strided(shape, strides, 0).unwrap(), Space::Memory(1))
}

fn scalar(element: &str) -> Word {
    Word::Scalar(element.parse().unwrap())
}

fn plain<'a>(opcode: &'a str, words: &'a [Word]) -> Apply<'a> {
    Apply {
        opcode,
        words,
        scope: Scope::Thread,
        predicated: false,
        preserve_dst: false,
        sink: &[],
        inverted: false,
        cache_policy: false,
    }
}

fn verdict(opcode: &str, words: &[Word]) -> Result<(String, i64), String> {
    apply(&plain(opcode, words))
        .map(|it| (format!("{} {}", it.variant, it.variant.form.summary), it.repeats))
        .map_err(|why| format!("{why:#}"))
}

#[track_caller]
fn refused(opcode: &str, words: &[Word], why: &str) {
    let found = verdict(opcode, words).expect_err("it is illegal");
    assert!(found.contains(why), "{found}");
}

#[test]
fn the_form_follows_from_the_last_extents() {
    let form =
        |dst: i64, src: i64, d: &str, a: &str| verdict("mov.b64", &[registers(&[3, dst], d), registers(&[3, src], a)]);
    assert_eq!(form(1, 1, "i64", "f64"), Ok(("mov.b64 copy".into(), 3)));
    assert_eq!(form(1, 2, "i64", "f32"), Ok(("mov.b64 pack".into(), 3)));
    assert_eq!(form(4, 1, "bf16", "i64"), Ok(("mov.b64 unpack".into(), 3)));
    refused(
        "mov.b64",
        &[registers(&[3, 2], "i32"), registers(&[3, 2], "i32")],
        "no form with last extents (2, 2); they are the registers of each operand: (1, 1), (1, 2), (1, 4), (2, 1) or (4, 1)",
    );
}

#[test]
fn no_repeat_axis_is_one_repeat() {
    assert_eq!(verdict("mov.b32", &[registers(&[1], "i32"), scalar("i32")]), Ok(("mov.b32 copy".into(), 1)));
}

#[test]
fn scalars_stand_where_one_register_is_read() {
    refused(
        "mov.b32",
        &[scalar("i32"), registers(&[4, 1], "i32")],
        "operand #0 (d) must be a tile, found a scalar i32",
    );
    refused("mov.b32", &[registers(&[4, 1], "i32"), scalar("i64")], "operand #1 (a): element type i64 is 64 bits wide");
    refused("st.global.b32", &[scalar("i32"), registers(&[4, 1], "i32")], "must be a tile");
}

#[test]
fn a_cache_policy_stands_where_the_opcode_has_a_hint() {
    let words = [registers(&[4, 1], "i32"), memory(&[4, 1], &[1, 1], "i32")];
    let verdict = |opcode: &str, cache_policy: bool| {
        let it = apply(&Apply { cache_policy, ..plain(opcode, &words) }).map_err(|why| why.to_string())?;
        Ok::<String, String>(it.variant.to_string())
    };
    assert_eq!(verdict("ld.L2::cache_hint.global.b32", true).unwrap(), "ld.global.L2::cache_hint.b32");
    assert_eq!(verdict("ld.global.b32", false).unwrap(), "ld.global.b32");
    assert_eq!(
        verdict("ld.relaxed.gpu.global.L2::128B.b32", true).unwrap_err(),
        "ld.relaxed.gpu.global.L2::128B.b32 takes no cache policy; take cache_policy out or write \
         ld.relaxed.gpu.global.L2::cache_hint.L2::128B.b32 (R111)"
    );
    assert_eq!(
        verdict("ld.global.L2::cache_hint.b32", false).unwrap_err(),
        "ld.global.L2::cache_hint.b32 takes a cache policy; add cache_policy(...) or write ld.global.b32 (R111)"
    );
    // Volatile loads have no hint.
    assert_eq!(
        verdict("ld.volatile.global.b32", true).unwrap_err(),
        "ld.volatile.global.b32 takes no cache policy; take cache_policy out (R111)"
    );
}

#[test]
fn types_are_those_of_the_table() {
    refused(
        "mov.b32",
        &[registers(&[4, 1], "i32"), registers(&[4, 1], "i64")],
        "operand #1 (a): element type i64 is 64 bits wide, mov.b32 takes 32; use i32 or a tile.view (R70)",
    );
    refused(
        "mov.u32",
        &[registers(&[4, 1], "f32"), scalar("i32")],
        "operand #0 (d): element type f32 is none of those that mov.u32 takes: i32; use mov.b32 or a tile.view",
    );
    refused(
        "mov.b32",
        &[registers(&[4, 1], "i32"), registers(&[4, 2], "i32")],
        "for 'pack', element type i32 is 32 bits wide, mov.b32 (.b16 words) takes 16; use i16 or a tile.view (R70)",
    );
    // Another opcode takes all operands as what they are, or none is named.
    for (opcode, types, way) in [
        ("mov.b32", ["i64", "i64", ""], "use mov.b64 or a tile.view"),
        ("add.f16", ["i32", "i32", "i32"], "use add.u32 or a tile.view"),
        ("add.f16", ["vector<2xf16>"; 3], "use add.f16x2 or a tile.view"),
        ("add.s32", ["i32", "i32", "f32"], "use i32 or a tile.view"),
        ("mul.rn.bf16", ["bf16", "bf16", "f32"], "use bf16 or a tile.view"),
        ("cvt.rn.satfinite.e2m1x2.f32", ["i32", "f32", "f32"], "use i8 or a tile.view"),
    ] {
        let operands = types.into_iter().filter(|it| !it.is_empty()).map(|it| registers(&[4, 1], it));
        refused(opcode, &operands.collect::<Vec<_>>(), way);
    }
}

#[test]
fn a_form_that_was_not_meant_says_which_it_is() {
    let why = |opcode: &str, words: &[Word]| verdict(opcode, words).unwrap_err();
    // R15: the extent of 4 was meant as repeats.
    assert_eq!(
        why("mov.b32", &[registers(&[4], "i32"), scalar("i32")]),
        "operand #0 (d): last extents make this the form 'unpack', tiles of single registers end in an extent of 1, as \
         4x1 does (R15); for 'unpack', element type i32 is 32 bits wide, mov.b32 (.b8 words) takes 8; use i8 or a \
         tile.view (R70)"
    );
    // Nothing else was meant: a form of single registers, and a group where there are only groups.
    assert_eq!(
        why("mov.b32", &[registers(&[4, 1], "i32"), registers(&[4, 1], "i64")]),
        "operand #1 (a): element type i64 is 64 bits wide, mov.b32 takes 32; use i32 or a tile.view (R70)"
    );
    assert_eq!(
        why("mov.v2.b32", &[registers(&[4, 2], "i32"), registers(&[4, 2], "i64")]),
        "operand #1 (a): element type i64 is 64 bits wide, mov.v2.b32 takes 32; use i32 or a tile.view (R70)"
    );
    // One operand too many makes it the form with two results.
    let p = registers(&[4, 1], "i1");
    assert_eq!(
        why("setp.lt.s32", &[p.clone(), p, registers(&[4, 1], "i64"), scalar("i32")]),
        "operand #2 (a): element type i64 is 64 bits wide, setp.lt.s32 takes 32; use i32 or a tile.view (R70); \
         4 operands are (p, q, a, b), setp.lt.s32 also takes (p, a, b)"
    );
}

#[test]
fn no_form_has_these_operands() {
    let why = |opcode: &str, words: &[Word]| verdict(opcode, words).unwrap_err();
    let (n, three) = (scalar("i32"), registers(&[4, 3], "i32"));
    // R6, R15: each operand by its last extent.
    assert_eq!(
        why("mov.b32", &[three.clone(), n.clone()]),
        "mov.b32 has no form with last extents (3, scalar); they are the registers of each operand: (1, 1), (1, 2), (1, \
         4), (2, 1) or (4, 1); tiles of single registers end in an extent of 1, as 4x1 does (R6, R15)"
    );
    assert_eq!(
        why("mov.v2.b32", &[three.clone(), three]),
        "mov.v2.b32 has no form with last extents (3, 3); they are the registers of each operand: (2, 2) (R6, R15)"
    );
    refused(
        "mov.b32",
        &[registers(&[], "i32"), n.clone()],
        "operand #0 (d) has rank 0; its last axis must be the registers of the instruction (R15)",
    );
    let one = registers(&[4, 1], "i32");
    refused(
        "lop3.b32",
        &[one.clone(), n.clone(), n.clone(), n.clone(), one.clone()],
        "operand #4 (immLut) is a tile; PTX takes a constant from 0 to 255 there, and no register",
    );
    // R105: what memory takes is a tile, which a scalar is put into.
    assert_eq!(
        why("st.global.b32", &[memory(&[4, 1], &[1, 1], "i32"), n]),
        "operand #1 (b) must be a tile, found a scalar i32; tile.write or mov puts that into one (R19, R105)"
    );
}

#[test]
fn repeats_are_the_same_everywhere() {
    refused(
        "mov.b32",
        &[registers(&[2, 2, 1], "i32"), registers(&[4, 1], "i32")],
        "operand #1 (a): repeats (4) differ from the (2, 2) of operand #0",
    );
}

#[test]
fn destinations_do_not_overlap_and_sources_may() {
    let still = strided(&[4, 1], &[0, 1], "i32");
    refused("mov.b32", &[still.clone(), scalar("i32")], "repeats (0) and (1) both write register 0");
    assert!(verdict("mov.b32", &[registers(&[4, 1], "i32"), still]).is_ok());
    let group = strided(&[2, 2], &[1, 0], "i32");
    refused("mov.b64", &[group, registers(&[2, 1], "i64")], "words 0 and 1 of repeat (0) both write register 0");
    // Injective, though no order of strides shows it (D23).
    let odd = strided(&[2, 3, 1], &[3, 2, 1], "i32");
    assert!(verdict("mov.b32", &[odd, scalar("i32")]).is_ok());
}

#[test]
fn an_overlap_is_told_by_its_repeats() {
    // R61: of pairs one register apart, the second word of one is the first of the next.
    let chain = strided(&[2, 2, 2], &[2, 1, 1], "i32");
    refused(
        "mov.b64",
        &[chain, registers(&[2, 2, 1], "i64")],
        "operand #0 (d): repeats (0, 0) and (0, 1) both write register 1; destination slots must not overlap (R61)",
    );
    // Far apart, where a flag for each register would be more than there is memory.
    let far = strided(&[2, 2, 1], &[1 << 50, 0, 1], "i32");
    refused("mov.b32", &[far, scalar("i32")], "repeats (0, 0) and (0, 1) both write register 0");
}

#[test]
fn a_sunk_word_may_overlap() {
    let words = [strided(&[2, 2], &[1, 0], "i32"), registers(&[2, 1], "i64")];
    assert!(apply(&Apply { sink: &[0], ..plain("mov.b64", &words) }).is_ok());
    for (sink, why) in [
        (&[0, 1][..], "discards every word of (d); keep one"),
        (&[2], "must name words 0 to 1 of (d)"),
        (&[-1], "must name words"),
    ] {
        let found = apply(&Apply { sink, ..plain("mov.b64", &words) }).unwrap_err().to_string();
        assert!(found.contains(why), "{found}");
    }
    let four = [registers(&[2, 4], "i16"), registers(&[2, 1], "i64")];
    for sink in [[1, 1], [1, 0]] {
        assert!(apply(&Apply { sink: &sink, ..plain("mov.b64", &four) }).is_err());
    }
    let copy = [registers(&[2, 1], "i32"), scalar("i32")];
    let found = apply(&Apply { sink: &[0], ..plain("mov.b32", &copy) }).unwrap_err().to_string();
    assert!(found.contains("sink needs words that PTX can discard"), "{found}");
}

#[test]
fn predication() {
    let words = [registers(&[2, 1], "i32"), scalar("i32")];
    assert!(apply(&Apply { predicated: true, preserve_dst: true, ..plain("mov.b32", &words) }).is_ok());
    assert!(apply(&Apply { preserve_dst: true, ..plain("mov.b32", &words) }).is_err());
    let store = [memory(&[2, 1], &[1, 1], "i32"), registers(&[2, 1], "i32")];
    assert!(apply(&Apply { predicated: true, preserve_dst: true, ..plain("st.global.b32", &store) }).is_err());
}

#[test]
fn memory_words_are_consecutive() {
    let data = registers(&[4, 4], "f32");
    assert!(verdict("ld.global.v4.b32", &[data.clone(), memory(&[4, 4], &[64, 1], "f32")]).is_ok());
    // A swizzle keeps 2^per_element of them together.
    let swizzled = |per_element| {
        let swizzle = Swizzle { per_element, swizzle: 2, atom: 2, outer: false };
        let layout = Layout::row_major(&[16, 4]).unwrap().with_swizzle(swizzle).unwrap();
        verdict("ld.global.v4.b32", &[registers(&[16, 4], "f32"), tile(&[16, 4], "f32", layout, Space::Memory(1))])
    };
    assert_eq!(swizzled(2).err(), None);
    assert_eq!(
        swizzled(1).unwrap_err(),
        "operand #1 (a): repeat (2): element 2 lies -2 elements from element 0; the 4 elements of an instruction must be \
         consecutive (R112)"
    );
    refused(
        "ld.global.v4.b32",
        &[data, memory(&[4, 4], &[64, 2], "f32")],
        "operand #1 (a): repeat (0): element 1 lies 2 elements from element 0",
    );
}

#[test]
fn spaces() {
    let data = registers(&[4, 1], "i32");
    refused(
        "ld.global.b32",
        &[data.clone(), data.clone()],
        "operand #1 (a): is in registers, ld.global.b32 wants global memory",
    );
    let out = memory(&[4, 1], &[1, 1], "i32");
    refused("mov.b32", &[out.clone(), data], "operand #0 (d): is in global memory, mov.b32 takes registers there");
}

#[test]
fn an_address_is_in_the_space_of_the_opcode() {
    let load = |opcode: &str, space| {
        let from = tile(&[4, 1], "i32", Layout::row_major(&[4, 1]).unwrap(), space);
        verdict(opcode, &[registers(&[4, 1], "i32"), from])
    };
    // R107: a generic address of global memory is the global one; local memory is registers whose address is taken.
    for (opcode, space) in [
        ("ld.global.b32", Space::Memory(1)),
        ("ld.global.b32", Space::Memory(0)),
        ("ld.shared.b32", Space::Memory(3)),
        ("ld.local.b32", Space::Register),
    ] {
        assert_eq!(load(opcode, space).err(), None);
    }
    for (opcode, space, why) in [
        ("ld.global.b32", Space::Register, "is in registers, ld.global.b32 wants global memory (R107)"),
        ("ld.global.b32", Space::Memory(3), "is in shared memory, ld.global.b32 wants global memory (R107)"),
        ("ld.global.b32", Space::Memory(4), "is in const memory, ld.global.b32 wants global memory (R107)"),
        ("ld.shared.b32", Space::Memory(0), "is in generic memory, ld.shared.b32 wants shared memory (R107)"),
        ("ld.shared.b32", Space::Memory(1), "is in global memory, ld.shared.b32 wants shared memory (R107)"),
        (
            "ld.local.b32",
            Space::Memory(1),
            "is in global memory, ld.local.b32 wants local memory, a tile in #gpu.address_space<private> (R107)",
        ),
    ] {
        assert_eq!(load(opcode, space).unwrap_err(), format!("operand #1 (a): {why}"));
    }
}

#[test]
fn swizzled_registers_are_refused() {
    let swizzle = Swizzle { per_element: 0, swizzle: 1, atom: 1, outer: false };
    let layout = Layout::row_major(&[4, 1]).unwrap().with_swizzle(swizzle).unwrap();
    refused(
        "mov.b32",
        &[tile(&[4, 1], "i32", layout, Space::Register), scalar("i32")],
        "operand #0 (d): a swizzled layout is for memory operands only (R52)",
    );
}

#[test]
fn thread_axes_and_replicas_are_refused_at_thread_scope() {
    let iters = |stride, axis| vec![Iter { extent: 4, stride, axis }];
    let lane = Layout::new(iters(0, 1), vec![], vec![]).unwrap();
    refused("mov.b32", &[tile(&[4, 1], "i32", lane, Space::Register), scalar("i32")], "names the axis @laneid");
    let offset = Layout::new(iters(1, M), vec![], vec![Offset { value: 0, axis: 2 }]).unwrap();
    refused("mov.b32", &[tile(&[4, 1], "i32", offset, Space::Register), scalar("i32")], "names the axis @warpid");
    let copies = Layout::new(iters(1, M), iters(4, M), vec![]).unwrap();
    refused("mov.b32", &[tile(&[4, 1], "i32", copies, Space::Register), scalar("i32")], "layout has replicas");
}

#[test]
fn huge_tiles_are_refused_before_anything_is_counted() {
    let shape = [1 << 40, 1];
    refused("mov.b32", &[registers(&shape, "i32"), scalar("i32")], "has 1099511627776 words, more than the 16777216");
}

const M: u32 = crate::layout::M;

proptest! {
    /// The verdict on overlap is that of a set of all slots.
    #[test]
    fn overlap_is_exact(extents in prop::collection::vec(1i64..5, 1..4), strides in prop::collection::vec(0i64..7, 4)) {
        let shape = [extents.as_slice(), &[1]].concat();
        let layout = Layout::strided(&shape, &strides[..shape.len()], 0).unwrap();
        let slots: Vec<i64> = (0..layout.size()).map(|flat| layout.place(flat, M)).collect();
        let distinct = slots.iter().collect::<std::collections::HashSet<_>>().len() == slots.len();
        let word = tile(&shape, "i32", layout, Space::Register);
        prop_assert_eq!(verdict("mov.b32", &[word, scalar("i32")]).is_ok(), distinct);
    }

}

#[test]
fn what_an_application_does_to_each_word() {
    let all = |opcode: &str, words: usize| -> Vec<(bool, bool)> {
        (0..words).map(|word| access(opcode, words, word)).map(|its| (its.reads, its.writes)).collect()
    };
    let (read, written) = ((true, false), (false, true));
    assert_eq!(all("mov.b64", 2), [written, read]);
    assert_eq!(all("setp.lt.s32", 3), [written, read, read]);
    assert_eq!(all("setp.lt.s32", 4), [written, written, read, read]);
    assert_eq!(all("setp.lt.and.s32", 4), [written, read, read, read]);
    assert_eq!(all("lop3.or.b32", 7), [written, written, read, read, read, read, read]);
    assert_eq!(all("ld.global.b32", 2), [written, read]);
    assert_eq!(all("st.global.b32", 2), [written, read]);
    assert_eq!(all("nothing.b32", 1), [(true, true)]);
    assert_eq!(all("mov.b64", 3), [(true, true); 3]);
}

#[test]
fn what_is_negated_is_there() {
    assert!(negation(true, true).is_ok() && negation(false, false).is_ok());
    let why = negation(true, false).unwrap_err().to_string();
    assert_eq!(why, "has the attribute 'negated' and no predicate to negate");
    let inverted = |opcode: &str, element: &str| {
        let words = [registers(&[4, 1], element), registers(&[4, 1], element)];
        apply(&Apply { inverted: true, ..plain(opcode, &words) }).map(|_| ()).map_err(|why| why.to_string())
    };
    assert_eq!(inverted("mov.pred", "i1"), Ok(()));
    assert_eq!(inverted("mov.b32", "i32").unwrap_err(), "mov.b32 has no source that PTX can negate; take out 'not'");
}

#[test]
fn a_type_of_no_register_has_advice() {
    for (found, advice) in [
        ("index", "use i32 or i64"),
        ("si32", "use the signless type of its width"),
        ("ui8", "use the signless type of its width"),
        ("vector<2xf8E5M2>", "use the integer of its width, i16 for two of 8 bits"),
        ("f80", "registers have 1, 8, 16, 32, 64 or 128 bits, and hold integers, floats and vectors of these (R70)"),
    ] {
        assert_eq!(no_register_type(found).to_string(), format!("type {found} is no type of a register; {advice}"));
    }
}

#[test]
fn a_flat_index_is_row_major() {
    assert_eq!(unflatten(17, &[2, 3, 4]), [1, 1, 1]);
    assert_eq!(unflatten(23, &[2, 3, 4]), [1, 2, 3]);
    assert_eq!(unflatten(0, &[]), [0i64; 0]);
    assert_eq!(coordinates(&[1, 0]), "(1, 0)");
}

#[test]
fn constants_where_ptx_takes_no_register() {
    let lop3 = &opcode::read("lop3.b32").unwrap()[0];
    let table = &lop3.form.operands[4];
    assert!(constant(table, Some(0)).is_ok() && constant(table, Some(255)).is_ok());
    let why = |found| constant(table, found).unwrap_err().to_string();
    assert_eq!(why(Some(256)), "(immLut) is 256; PTX takes a constant from 0 to 255 there, and no register");
    assert_eq!(why(None), "(immLut) is no constant; PTX takes a constant from 0 to 255 there, and no register");
    assert!(constant(&lop3.form.operands[1], None).is_ok());
}

use super::*;
use crate::instruction;

/// The words that same_bits makes of the sources; which instruction it is does not matter to it.
fn moved(sources: &[Word], widths: &[u32]) -> Vec<Word> {
    let variant = instruction::lookup("mov").unwrap().variants().next().unwrap();
    let (sources, results) = ([sources.to_vec()], [widths.to_vec()]);
    same_bits(&Executed { variant: &variant, sources: &sources, results: &results }).unwrap().remove(0)
}

fn words(width: u32, bits: &[u128]) -> Vec<Word> {
    bits.iter().map(|bits| Word::new(width, *bits)).collect()
}

/// The vectors of the PTX ISA's meaning of `mov` with groups: word 0 is the least significant.
const GROUPS: [(&[u128], u32, u128); 6] = [
    (&[0x01, 0x02, 0x03, 0x04], 8, 0x0403_0201),
    (&[0xabcd, 0x1234], 16, 0x1234_abcd),
    (&[0x1111, 0x2222, 0x3333, 0x4444], 16, 0x4444_3333_2222_1111),
    (&[0xdead_beef, 0x00c0_ffee], 32, 0x00c0_ffee_dead_beef),
    (&[1, 2], 64, 2 << 64 | 1),
    (&[1, 2, 3, 4], 32, 4 << 96 | 3 << 64 | 2 << 32 | 1),
];

#[test]
fn groups_pack_and_unpack_with_word_0_lowest() {
    for (lanes, width, whole) in GROUPS {
        let wide = width * lanes.len() as u32;
        assert_eq!(moved(&words(width, lanes), &[wide]), words(wide, &[whole]));
        assert_eq!(moved(&words(wide, &[whole]), &vec![width; lanes.len()]), words(width, lanes));
    }
    let whole = words(64, &[0x1122_3344_5566_7788]);
    assert_eq!(moved(&whole, &[32; 2]), words(32, &[0x5566_7788, 0x1122_3344]));
    assert_eq!(moved(&whole, &[16; 4]), words(16, &[0x7788, 0x5566, 0x3344, 0x1122]));
}

#[test]
fn copies_keep_every_bit() {
    assert_eq!(moved(&words(1, &[1]), &[1]), words(1, &[1]));
    assert_eq!(moved(&words(128, &[u128::MAX - 5]), &[128]), words(128, &[u128::MAX - 5]));
    assert_eq!(moved(&words(64, &[1, 2, 3, 4]), &[64; 4]), words(64, &[1, 2, 3, 4]));
}

#[test]
fn an_undefined_word_leaves_the_others_defined() {
    let half = moved(&[Word::undefined(16), Word::new(16, 0x1234)], &[32]);
    assert_eq!(half, [Word::partial(32, 0x1234_0000, 0xffff_0000)]);
    assert_eq!(half[0].known(), None);
    assert_eq!(moved(&half, &[16, 16]), [Word::undefined(16), Word::new(16, 0x1234)]);
}

#[test]
fn as_many_bits_are_read_as_written() {
    let variant = instruction::lookup("mov").unwrap().variants().next().unwrap();
    let executed = Executed { variant: &variant, sources: &[words(32, &[1])], results: &[vec![64]] };
    let why = same_bits(&executed).unwrap_err().to_string();
    assert!(why.ends_with("reads 32 bits and writes 64"), "{why}");
}

#[test]
fn words_have_no_bits_but_their_own() {
    assert_eq!(Word::new(8, 0x1ff).bits, 0xff);
    assert_eq!(Word::new(0, 7).known(), Some(0));
    assert_eq!(Word::partial(8, 0xff, 0x0f).bits, 0x0f);
    assert_eq!(Word::new(8, 0xff).resized(4), Word::new(4, 0xf));
    assert_eq!(Word::undefined(8).resized(16), Word::partial(16, 0, 0xff00));
    assert_eq!(format!("{:?} {:?}", Word::new(8, 0xff), Word::undefined(1)), "0xff:8 undefined:1");
}

/// Every spelling of every form that names a primitive is one that the primitive computes, with results in the shape of
/// what the form writes.
#[test]
fn every_form_that_names_a_primitive_executes() {
    let mut executed = 0;
    for variant in instruction::INSTRUCTIONS.iter().flat_map(|its| its.variants()) {
        let Some(semantics) = variant.form.semantics else { continue };
        let widths = |written: bool| -> Vec<Vec<u32>> {
            let reads_memory = variant.instruction.reads_memory;
            let operands = variant.form.operands.iter().filter(|operand| match operand.address {
                true => written != reads_memory,
                false => operand.written == written && !operand.cache_policy,
            });
            operands.map(|operand| vec![variant.type_of(operand).width; operand.registers as usize]).collect()
        };
        let words = |of: fn(u32) -> Word| -> Vec<Vec<Word>> {
            widths(false).into_iter().map(|widths| widths.into_iter().map(of).collect()).collect()
        };
        for sources in
            [words(|width| Word::new(width, 0)), words(|width| Word::new(width, 0x55)), words(Word::undefined)]
        {
            let results = widths(true);
            let written = semantics(&Executed { variant: &variant, sources: &sources, results: &results });
            let written = written.unwrap_or_else(|why| panic!("{variant}: {why:#}"));
            let shape: Vec<Vec<u32>> =
                written.iter().map(|words| words.iter().map(|word| word.width).collect()).collect();
            assert_eq!(shape, results, "{variant}");
        }
        executed += 1;
    }
    assert!(executed > 1000, "{executed} variants name a primitive");
}

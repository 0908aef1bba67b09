//! The examples over threads leave what they say, as they are written and after tile-expand.

use super::changes::CHANGES;
use super::metamorphic::read_again;
use super::mlir::{Mlir, Pass};
use ptx_tile_passes::execute::{Argument, Buffer, Launch};

/// The words that the last buffer of an example then holds: as it is written, and changed so that it means the same.
fn leaves(name: &str, launch: &Launch, arguments: &[Argument], wanted: &[u32]) {
    let path = format!("{}/../examples/{name}.mlir", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
    let mlir = Mlir::new();
    let parse = || mlir.parse(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
    let again = read_again(&mlir, &parse()).unwrap_or_else(|why| panic!("{name}: {why}"));
    let mut modules: Vec<_> = [parse()].into_iter().chain(again).collect();
    for (what, change) in CHANGES {
        let module = parse();
        println!("{name}: {what} in {} places", change(mlir.context(), &module, false));
        modules.push(module);
    }
    let ways: [&[Pass]; 3] = [&[], &[Pass::Expand { forward: true }], &[Pass::Expand { forward: false }]];
    for (module, passes) in modules.iter().flat_map(|module| ways.map(|passes| (module, passes))) {
        let memory = mlir.after(module, passes).and_then(|module| mlir.run(&module, launch, arguments.to_vec()));
        let memory = memory.unwrap_or_else(|why| panic!("{name} after {passes:?}: {why}\n{}", module.as_operation()));
        let out = memory.last().expect("there is an output");
        assert!(out.defined.iter().all(|byte| *byte == 0xff), "{name} after {passes:?}");
        let words: Vec<u32> = out.bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        assert_eq!(words, wanted, "{name} after {passes:?}\n{}", module.as_operation());
    }
}

fn input(words: &[u32]) -> Argument {
    Argument::Buffer(Buffer::new(words.iter().flat_map(|word| word.to_le_bytes()).collect()))
}

fn output(words: usize) -> Argument {
    Argument::Buffer(Buffer::undefined(4 * words))
}

fn block(threads: u32) -> Launch {
    Launch { block: [threads, 1, 1], ..Launch::default() }
}

#[test]
fn load_compute_store_triples() {
    let numbers = |times: f32| (0..768).map(|i| (times * (i as f32 + 0.25)).to_bits()).collect::<Vec<u32>>();
    leaves("load_compute_store", &block(64), &[input(&numbers(1.0)), output(768)], &numbers(3.0));
}

#[test]
fn fragment_scales_and_a_part_of_the_third_once_more() {
    let by = Argument::Bits(3f32.to_bits().into());
    let numbers: Vec<u32> = (0..1024).map(|i| (i as f32 + 0.25).to_bits()).collect();
    // Lanes 0 to 16 have the first four rows of each half.
    let is_twice = |i: usize| i / 256 == 2 && i / 16 % 8 < 4;
    let wanted = (0..1024).map(|i| {
        let number = 3.0 * (i as f32 + 0.25);
        (if is_twice(i) { 3.0 * number } else { number }).to_bits()
    });
    leaves("fragment", &block(128), &[input(&numbers), output(1024), by], &wanted.collect::<Vec<_>>());
}

#[test]
fn scale_rows_scales_the_first_rows() {
    let rows: Vec<u32> = (0..7 * 256).map(|i| (i as f32 + 0.25).to_bits()).collect();
    let scaled = (0..7 * 256).map(|i| ((i as f32 + 0.25) * if i < 5 * 256 { 3.0 } else { 1.0 }).to_bits());
    let launch = Launch { grid: [2, 1, 1], ..block(64) };
    let arguments = [input(&rows), Argument::Bits(5), Argument::Bits(3f32.to_bits().into())];
    leaves("scale_rows", &launch, &arguments, &scaled.collect::<Vec<_>>());
}

#[test]
fn swizzled_copy_copies() {
    let words: Vec<u32> = (0..128 * 32).map(|i| 0x9e37_79b9u32.wrapping_mul(i)).collect();
    leaves("swizzled_copy", &block(128), &[input(&words), output(words.len())], &words);
}

#[test]
fn warpgroup_halves_pairs_the_low_and_the_high_halves() {
    let words: Vec<u32> = (0..256).map(|i| 0x0001_0003 * i + 0x7000_0000).collect();
    let turned = words.chunks(2).flat_map(|pair| {
        let [a, b] = [pair[0], pair[1]];
        [a & 0xffff | b << 16, a >> 16 | b & 0xffff_0000]
    });
    leaves("warpgroup_halves", &block(128), &[input(&words), output(256)], &turned.collect::<Vec<_>>());
}

#[test]
fn cluster_store_numbers_all_threads_of_the_cluster() {
    let launch = Launch { grid: [2, 1, 1], cluster: [2, 1, 1], ..block(64) };
    leaves("cluster_store", &launch, &[output(128)], &(0..128).collect::<Vec<_>>());
}

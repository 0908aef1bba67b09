//! The bodies that cargo-fuzz runs too, on their corpus and on random bytes, without it.

use crate::{layout, legality, mutate, opcode};
use fastrand::Rng;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, iter};

/// Why bytes show a fault.
pub type Body = dyn Fn(&[u8]) -> Result<(), String>;

/// The body of a target.
pub fn body(target: &str) -> Box<Body> {
    match target {
        "opcode" => Box::new(|data| opcode::check(data, &opcode::TESTED)),
        "layout" => Box::new(|data| layout::check(data, &layout::TESTED)),
        "legality" => Box::new(|data| legality::check(data, &legality::TESTED)),
        _ => panic!("there is no target {target}"),
    }
}

/// The most time for one input; most take a thousandth of that.
pub const LIMIT: Duration = Duration::from_secs(5);

/// The most random bytes of an input.
const MOST: usize = 300;

/// Runs a body on a corpus and then for so long on what is made of it: how many inputs there were, or the first that
/// shows a fault and the fault.
pub fn run(body: &Body, corpus: &Path, time: Duration, seed: u64) -> Result<usize, (Vec<u8>, String)> {
    let mut files: Vec<PathBuf> = fs::read_dir(corpus).into_iter().flatten().flatten().map(|it| it.path()).collect();
    files.sort();
    let corpus: Vec<Vec<u8>> = files.iter().filter_map(|file| fs::read(file).ok()).collect();
    let mut rng = Rng::with_seed(seed);
    let random = iter::repeat_with(|| match rng.choice(&corpus).filter(|_| rng.bool()) {
        Some(known) => mutate::bytes(&mut rng, known),
        None => (0..rng.usize(..MOST)).map(|_| rng.u8(..)).collect(),
    });
    let begin = Instant::now();
    let random = random.take_while(|_| begin.elapsed() < time);
    let mut tried = 0;
    for input in corpus.iter().cloned().chain(random) {
        try_one(body, &input).map_err(|why| (input, why))?;
        tried += 1;
    }
    Ok(tried)
}

fn try_one(body: &Body, input: &[u8]) -> Result<(), String> {
    let begin = Instant::now();
    panic::catch_unwind(AssertUnwindSafe(|| body(input))).unwrap_or_else(|_| Err("it panicked, see above".into()))?;
    match begin.elapsed() {
        time if time > LIMIT => Err(format!("it took {time:?}")),
        _ => Ok(()),
    }
}

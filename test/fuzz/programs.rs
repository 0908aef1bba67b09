//! Mutated programs, text and bytecode, through our programs: no signal, no abort, no hang, no silent failure.
//!
//! A fault is one of MLIR's own, and counted apart, where the stock mlir-opt fails in the same way and place on the same
//! input with the same passes, or without passes where those are ours; of bytecode, whose reader overwrites memory that
//! fails later, in the same way. Or it is of a class in known/, whose inputs have no op of ours: a test runs mlir-opt
//! on each.

use crate::judge::{self, Ended, Fault, Kind, LIMITS, Limits};
use crate::mutate;
use fastrand::Rng;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, process, thread};

/// What is done with an input: the program and its arguments, and what that may take.
const WAYS: [(&[&str], Limits); 22] = [
    (&["tile-opt"], LIMITS),
    (&["tile-opt", "--mlir-print-op-generic"], LIMITS),
    (&["tile-opt", "--mlir-print-local-scope"], LIMITS),
    (&["tile-opt", "--emit-bytecode", "-f"], LIMITS),
    (&["tile-opt", "--canonicalize", "--cse"], LIMITS),
    (&["tile-opt", "--tile-check"], LIMITS),
    (&["tile-opt", "--tile-check"], LIMITS),
    (&["tile-opt", "--tile-expand"], EXPANDS),
    (&["tile-opt", "--tile-expand"], EXPANDS),
    (&["tile-opt", "--tile-expand=forward=false"], EXPANDS),
    (&["tile-opt", "--tile-expand", "--convert-ptx-to-llvm"], EXPANDS),
    (&["tile-opt", "--convert-ptx-to-llvm"], LIMITS),
    (&["tile-opt", "--pass-pipeline=builtin.module(tile-attach-target,gpu.module(tile-prepare-kernels))"], LIMITS),
    (&["tile-opt", "--tile-emit-ptx"], EXPANDS),
    (&["tile-opt", "--tile-to-nvvm"], EXPANDS),
    (&["tile-opt", "--tile-to-nvvm=bare-pointers=false"], EXPANDS),
    (&["tile-opt", "--tile-to-ptx"], EXPANDS),
    (&["tile-opt", "--tile-to-ptx=chip=sm_100a O=3"], EXPANDS),
    (&["tile-translate", "--mlir-to-ptx"], EXPANDS),
    (&["tile-translate", "--mlir-to-ptx", "--chip", "sm_120a"], EXPANDS),
    (&["tile-translate", "--layout-to-text"], LIMITS),
    (&["tile-translate", "--layout-to-svg"], LIMITS),
];

/// A million instructions, which expansion allows, take LLVM half a minute and 4 GB, and MLIR's conversions as long on a
/// busy machine.
const EXPANDS: Limits = Limits { processor: 120, wall: 600, memory: 12 << 20 };

/// Those that print the program as it is.
const PRINTS: [&[&str]; 3] = [WAYS[0].0, WAYS[1].0, WAYS[2].0];

/// How MLIR's bytecode begins.
const BYTECODE: &[u8] = b"ML\xefR";

/// Where programs to begin with are.
const FOLDERS: [&str; 8] =
    ["dialect", "examples", "fuzz/corpus/programs", "gpu", "interplay", "passes", "ptx", "tools"];

/// The programs, and where inputs that make them fail are left.
pub struct Fuzz {
    /// By the first word of a way.
    pub programs: BTreeMap<&'static str, PathBuf>,
    /// MLIR's own.
    pub mlir_opt: PathBuf,
    /// `target/fuzz/programs`.
    pub folder: PathBuf,
    seeds: Vec<String>,
    legal: Vec<String>,
    known: Vec<Known>,
}

/// What came of it.
#[derive(Default)]
pub struct Found {
    /// How many inputs there were.
    pub tried: usize,
    /// How many of them were legal.
    pub accepted: usize,
    /// How often each class of ours occurred, and how to see it again.
    pub ours: BTreeMap<Fault, (usize, String)>,
    /// How often each class of MLIR's own did.
    pub mlirs: BTreeMap<Fault, (usize, String)>,
}

impl Fuzz {
    /// With the seeds and what is known of a folder of tests.
    pub fn new(tests: &Path, programs: [(&'static str, PathBuf); 2], mlir_opt: PathBuf, folder: &Path) -> Fuzz {
        let mut files: Vec<PathBuf> = FOLDERS
            .iter()
            .flat_map(|it| fs::read_dir(tests.join(it)).into_iter().flatten())
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|it| it == "mlir"))
            .collect();
        files.sort();
        let (refused, legal): (Vec<_>, Vec<_>) =
            files.iter().partition(|path| path.to_string_lossy().ends_with("-invalid.mlir"));
        let [refused, legal] = [refused, legal].map(|paths: Vec<&PathBuf>| {
            let texts = paths.into_iter().filter_map(|path| fs::read_to_string(path).ok());
            texts.flat_map(|text| text.split("// -----").map(without_comments).collect::<Vec<_>>()).collect::<Vec<_>>()
        });
        assert!(!legal.is_empty(), "no programs to begin with in {}", tests.display());
        let seeds = [refused, legal.clone()].concat();
        fs::create_dir_all(folder).unwrap_or_else(|why| panic!("cannot make {}: {why}", folder.display()));
        let known = known(&tests.join("fuzz/known"));
        Fuzz { programs: programs.into(), mlir_opt, folder: folder.into(), seeds, legal, known }
    }

    /// Tries inputs for so long, on all cores.
    pub fn run(&self, time: Duration, seed: u64) -> Found {
        let (begin, next, found) = (Instant::now(), AtomicUsize::new(0), Mutex::new(Found::default()));
        let work = |thread: usize| {
            let folder = self.folder.join(format!("run-{}-{thread}", process::id()));
            fs::create_dir_all(&folder).expect("target can be written");
            while begin.elapsed() < time {
                // An input depends on its number alone, not on which thread makes it.
                let number = next.fetch_add(1, Ordering::Relaxed) as u64;
                self.try_one(&mut Rng::with_seed(seed.wrapping_mul(1 << 32).wrapping_add(number)), &folder, &found);
            }
            fs::remove_dir_all(&folder).expect("it was made here");
        };
        let threads = thread::available_parallelism().map_or(2, |count| count.get());
        thread::scope(|scope| (0..threads).for_each(|thread| drop(scope.spawn(move || work(thread)))));
        found.into_inner().expect("no thread panicked")
    }

    fn try_one(&self, rng: &mut Rng, folder: &Path, found: &Mutex<Found>) {
        // Most of what tests refuse is refused for the same reason after mutations.
        let seeds = if rng.u32(0..4) == 0 { &self.seeds } else { &self.legal };
        let seed = rng.choice(seeds).expect("there are seeds");
        let input = match rng.u32(0..8) {
            0 => match self.bytecode(seed, folder) {
                Some(bytes) => mutate::bytes(rng, &bytes),
                None => return,
            },
            _ => mutate::text(rng, seed, &self.seeds).into_bytes(),
        };
        let (way, limits) = WAYS[rng.usize(0..WAYS.len())];
        let (accepted, fault) = self.judged(way, limits, &input, folder);
        let mut found = found.lock().expect("no thread panics under this lock");
        found.tried += 1;
        found.accepted += usize::from(accepted);
        let Some((fault, is_mlirs)) = fault else { return };
        let all = if is_mlirs { &mut found.mlirs } else { &mut found.ours };
        all.entry(fault.clone()).or_insert_with(|| (0, self.keep(&fault, way, &input))).0 += 1;
    }

    /// Whether a way takes an input, how it fails, and whether that is MLIR's own fault.
    fn judged(&self, way: &[&str], limits: Limits, input: &[u8], folder: &Path) -> (bool, Option<(Fault, bool)>) {
        let file = folder.join("input.mlir");
        fs::write(&file, input).expect("target can be written");
        let path = file.to_str().expect("the path of a checkout is text");
        let run = |program: &Path, arguments: &[&str]| {
            let all = [arguments, &[path]].concat();
            let mut ended = judge::run(program, &all, limits, folder).expect("a program can be run");
            if PRINTS.contains(&way) && ended.accepted && ended.fault.is_none() {
                ended.fault = judge::again(program, arguments, LIMITS, folder).expect("a program can be run");
            }
            ended
        };
        let Ended { accepted, fault } = run(&self.programs[way[0]], &way[1..]);
        let Some(fault) = fault else { return (accepted, None) };
        let is_ours = |argument: &&str| argument.contains("tile") || argument.contains("ptx");
        let is_stock = way[0] == "tile-opt" && !way[1..].iter().any(is_ours);
        let stock = if is_stock { &way[1..] } else { &[] };
        let also = || run(&self.mlir_opt, &[&["--allow-unregistered-dialect"], stock].concat()).fault;
        // What bytecode overwrites shows anywhere.
        let is_same = |its: Fault| its.kind == fault.kind && (its.place == fault.place || input.starts_with(BYTECODE));
        let is_mlirs = self.known.iter().any(|it| it.has(&fault)) || also().is_some_and(is_same);
        (accepted, Some((fault, is_mlirs)))
    }

    /// The bytecode of a program, where it is legal.
    fn bytecode(&self, seed: &str, folder: &Path) -> Option<Vec<u8>> {
        let (file, out) = (folder.join("seed.mlir"), folder.join("seed.mlirbc"));
        fs::write(&file, seed).expect("target can be written");
        let arguments = ["--emit-bytecode", "-o", out.to_str()?, file.to_str()?];
        let _ = fs::remove_file(&out);
        judge::run(&self.programs["tile-opt"], &arguments, LIMITS, folder).expect("a program can be run");
        fs::read(&out).ok().filter(|bytes| !bytes.is_empty())
    }

    /// Keeps an input, and says how to see it fail again.
    fn keep(&self, fault: &Fault, way: &[&str], input: &[u8]) -> String {
        let place: String = fault.place.chars().filter(|c| c.is_ascii_alphanumeric()).take(60).collect();
        let file = self.folder.join(format!("{:?}-{place}.mlir", fault.kind));
        fs::write(&file, input).expect("target can be written");
        let words =
            way.iter().map(|word| if word.contains(['=', '(']) { format!("'{word}'") } else { word.to_string() });
        format!("{} {}", words.collect::<Vec<_>>().join(" "), file.display())
    }
}

/// What tests say to lit and to readers changes nothing.
fn without_comments(text: &str) -> String {
    let kept = text.lines().map(|line| line.split("//").next().unwrap_or_default().trim_end());
    kept.filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

/// A class of faults that MLIR has without us.
pub struct Known {
    /// Its file.
    pub path: PathBuf,
    /// An input of its own.
    pub input: String,
    /// Bytes of its bytecode and others in their place, where text cannot say what fails.
    pub bytes: Option<[Vec<u8>; 2]>,
    /// The kind and where its place begins.
    pub fault: Fault,
    /// With these arguments mlir-opt has it.
    pub arguments: Vec<String>,
}

impl Known {
    /// Writes the input where `mlir_opt` is to read it.
    pub fn write(&self, mlir_opt: &Path, file: &Path) -> io::Result<()> {
        fs::write(file, &self.input)?;
        let Some([from, to]) = &self.bytes else { return Ok(()) };
        let whole = Command::new(mlir_opt).arg("--emit-bytecode").arg(file).output()?.stdout;
        let places: Vec<usize> = (0..whole.len()).filter(|&at| whole[at..].starts_with(from)).collect();
        let [at] = places[..] else { return Err(io::Error::other(format!("bytecode has these bytes at {places:?}"))) };
        fs::write(file, [&whole[..at], to, &whole[at + from.len()..]].concat())
    }

    /// Whether a fault is of the class.
    pub fn has(&self, fault: &Fault) -> bool {
        fault.kind == self.fault.kind && fault.place.starts_with(&self.fault.place)
    }
}

/// The files of a folder. They begin with lines `// CLASS: KIND PLACE` and `// WITH: ARGUMENTS`. With a line
/// `// TIMES: COUNT` the last line of the program comes so many times, with `// TIMES: COUNT TEXT` the text does. With a
/// line `// BYTES: FROM TO`, in hexadecimal, the input is the program's bytecode with these bytes in place of those.
pub fn known(folder: &Path) -> Vec<Known> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("cannot read {}: {why}", path.display()));
        let after = |mark| text.lines().find_map(|line| line.strip_prefix(mark)).unwrap_or_default().trim();
        let (kind, place) = after("// CLASS: ").split_once(' ').unwrap_or_default();
        let kind = Kind::named(kind).unwrap_or_else(|| panic!("{} has no class", path.display()));
        let arguments = after("// WITH:").split_whitespace().map(str::to_string).collect();
        let lines: Vec<String> = text.lines().filter(|it| !it.starts_with("//")).map(|it| format!("{it}\n")).collect();
        let last = lines.last().unwrap_or_else(|| panic!("{} has no program", path.display()));
        let (times, part) = after("// TIMES:").split_once(' ').unwrap_or((after("// TIMES:"), last));
        let input = lines.concat();
        let (front, back) = input.rsplit_once(part).unwrap_or_else(|| panic!("{} has no {part}", path.display()));
        let input = format!("{front}{}{back}", part.repeat(times.parse().unwrap_or(1)));
        let bytes = after("// BYTES:").split_once(' ').map(|(from, to)| [from, to].map(bytes_of));
        Known { fault: Fault { kind, place: place.into() }, input, bytes, arguments, path }
    };
    paths.into_iter().map(read).collect()
}

fn bytes_of(hexadecimal: &str) -> Vec<u8> {
    let digits: Vec<char> = hexadecimal.trim().chars().collect();
    let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16);
    digits.chunks(2).map(|pair| byte(pair).unwrap_or_else(|why| panic!("{hexadecimal}: {why}"))).collect()
}

impl Found {
    /// A line for each class, and one for all.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (whose, all) in [("MLIR's own, ", &self.mlirs), ("", &self.ours)] {
            for (Fault { kind, place }, (count, again)) in all {
                text += &format!("{whose}{kind:?}, {count} times: {place}\n    {again}\n");
            }
        }
        let count = |all: &BTreeMap<Fault, (usize, String)>| all.values().map(|(count, _)| count).sum::<usize>();
        text + &format!(
            "programs: {} inputs tried, {} legal, {} faults in {} classes, {} of MLIR's own in {} classes",
            self.tried,
            self.accepted,
            count(&self.ours),
            self.ours.len(),
            count(&self.mlirs),
            self.mlirs.len()
        )
    }
}

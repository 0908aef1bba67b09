//! Runs a program under limits, and says what is wrong with how it ended.
//!
//! Whatever the input is, a program must end by itself, soon, and say what is wrong where it fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// What one run may take.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Seconds of a processor.
    pub processor: u64,
    /// Seconds that pass, for what waits and does nothing.
    pub wall: u64,
    /// KiB of address space.
    pub memory: u64,
}

/// What holds for all inputs.
pub const LIMITS: Limits = Limits { processor: 10, wall: 100, memory: 4 << 20 };

/// How a program may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It used its stack up.
    StackOverflow,
    /// It did not end in time.
    Hang,
    /// It wanted more memory than there is.
    Memory,
    /// A signal ended it.
    Signal,
    /// A panic that was caught: a diagnostic, but none of the input.
    Internal,
    /// It failed and said nothing, or succeeded and printed nothing.
    Silent,
    /// It printed an error and succeeded.
    Contradiction,
    /// It does not read what it printed, or prints that otherwise.
    RoundTrip,
}

impl Kind {
    const ALL: [Kind; 8] = [
        Kind::StackOverflow,
        Kind::Hang,
        Kind::Memory,
        Kind::Signal,
        Kind::Internal,
        Kind::Silent,
        Kind::Contradiction,
        Kind::RoundTrip,
    ];

    /// By its name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| format!("{kind:?}") == name)
    }
}

/// A fault; those of one kind and place are one class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// How it failed.
    pub kind: Kind,
    /// Where: the innermost functions with names, or what it said.
    pub place: String,
}

/// How a run ended.
pub struct Ended {
    /// The program took its input.
    pub accepted: bool,
    /// What is wrong with that.
    pub fault: Option<Fault>,
}

/// Runs a program on its arguments, with files for its output in a folder of this run.
pub fn run(program: &Path, arguments: &[&str], limits: Limits, folder: &Path) -> io::Result<Ended> {
    let [out, err] = ["out", "err"].map(|name| folder.join(name));
    let limited = format!(
        "ulimit -c 0; ulimit -S -t {}; ulimit -H -t {}; ulimit -v {}; exec \"$@\"",
        limits.processor,
        limits.processor + 2,
        limits.memory
    );
    let mut command = Command::new("sh");
    command.args(["-c", &limited, "sh"]).arg(program).args(arguments);
    // A dump names exported functions by itself; a symbolizer takes seconds for each.
    command.env("LLVM_DISABLE_SYMBOLIZATION", "1").env("RUST_BACKTRACE", "0");
    let mut child = command.stdout(File::create(&out)?).stderr(File::create(&err)?).spawn()?;
    let status = wait(&mut child, Duration::from_secs(limits.wall))?;
    let said = String::from_utf8_lossy(&fs::read(&err)?).into_owned();
    let accepted = status.is_some_and(|status| status.success());
    Ok(Ended { accepted, fault: judge(status, &said, fs::metadata(&out)?.len() == 0) })
}

/// Whether what a program printed in the last run in a folder is read by it, and printed again the same.
pub fn again(program: &Path, arguments: &[&str], limits: Limits, folder: &Path) -> io::Result<Option<Fault>> {
    let (first, input) = (fs::read(folder.join("out"))?, folder.join("printed.mlir"));
    fs::write(&input, &first)?;
    let path = input.to_str().ok_or_else(|| io::Error::other("the folder is no text"))?;
    let ended = run(program, &[arguments, &[path]].concat(), limits, folder)?;
    let said = fs::read_to_string(folder.join("err"))?;
    let fault = |place: String| Ok(Some(Fault { kind: Kind::RoundTrip, place }));
    match (ended.accepted, fs::read(folder.join("out"))? == first) {
        _ if ended.fault.is_some() => Ok(ended.fault),
        (false, _) => fault(without_numbers(&after(said.lines().next().unwrap_or_default(), "error: "))),
        (true, false) => fault("is printed otherwise".into()),
        (true, true) => Ok(None),
    }
}

/// `None` where it had to be ended.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let begin = Instant::now();
    while begin.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

fn judge(status: Option<ExitStatus>, said: &str, printed_nothing: bool) -> Option<Fault> {
    let fault = |kind, place| Some(Fault { kind, place });
    let Some(status) = status else { return fault(Kind::Hang, "waits".into()) };
    let line_with = |text: &str| said.lines().find(|line| line.contains(text)).unwrap_or_default().to_string();
    if let Some(signal) = status.signal() {
        const SIGKILL: i32 = 9;
        const SIGXCPU: i32 = 24;
        let kind = match signal {
            SIGXCPU | SIGKILL => Kind::Hang,
            _ if frames(said).count() > DEEP => Kind::StackOverflow,
            _ if ["out of memory", "memory allocation of", "bad_alloc"].iter().any(|it| said.contains(it)) => {
                Kind::Memory
            }
            _ => Kind::Signal,
        };
        let place = if kind == Kind::StackOverflow { cycle(said) } else { innermost(said) };
        return fault(kind, place);
    }
    if said.contains("internal error") {
        return fault(Kind::Internal, without_numbers(&after(&line_with("internal error"), "error: ")));
    }
    if said.contains("Stack dump") || said.contains("panicked at") {
        return fault(Kind::Signal, innermost(said));
    }
    let is_error = said.contains("error:");
    match (status.success(), is_error) {
        (false, false) if said.trim().is_empty() => fault(Kind::Silent, "fails and says nothing".into()),
        (true, true) => fault(Kind::Contradiction, without_numbers(&after(&line_with("error:"), "error: "))),
        (true, false) if printed_nothing => fault(Kind::Silent, "succeeds and prints nothing".into()),
        _ => None,
    }
}

/// A stack this deep is one that grew until it was used up.
const DEEP: usize = 200;

/// What is in a stack dump from the innermost frame on: the library, and the function where it has a name.
///
/// A frame is `4  libMLIR.so.22.1 0x00007f16 mlir::parse(int) + 54`.
fn frames(said: &str) -> impl Iterator<Item = (&str, &str)> {
    said.lines().filter_map(|line| {
        let (front, frame) = line.split_once(" 0x")?;
        let library = front.trim_start_matches(|c: char| c.is_ascii_digit()).trim();
        let is_frame = front.starts_with(|c: char| c.is_ascii_digit()) && !library.contains(' ');
        let name = frame.split_once(' ').map_or("", |(_, name)| name.split(['(', '<', '+']).next().unwrap_or_default());
        is_frame.then_some((library, name.trim()))
    })
}

/// The innermost functions that have names, but those that handle the signal.
fn innermost(said: &str) -> String {
    let names = frames(said).map(|(_, name)| name).filter(|name| !name.is_empty() && !handles(name));
    let mut names: Vec<&str> = names.take(3).collect();
    names.dedup();
    if names.is_empty() { "unknown".into() } else { names.join(" < ") }
}

fn handles(name: &str) -> bool {
    ["llvm::sys::", "abort", "raise", "gsignal", "pthread", "_", "std::"].iter().any(|it| name.starts_with(it))
}

/// The functions that call each other without end, or the libraries that those are in which have no names.
fn cycle(said: &str) -> String {
    let mut counts = BTreeMap::new();
    frames(said).for_each(|(_, name)| *counts.entry(name).or_insert(0) += 1);
    counts.remove("");
    let named: Vec<&str> = counts.into_iter().filter(|(_, count)| *count > DEEP / 20).map(|(name, _)| name).collect();
    let libraries: BTreeSet<&str> = frames(said).skip(DEEP / 2).map(|(library, _)| library).collect();
    if named.is_empty() { Vec::from_iter(libraries).join(" and ") } else { named.join(" and ") }
}

fn after(text: &str, mark: &str) -> String {
    text.split_once(mark).map_or(text, |(_, rest)| rest).to_string()
}

/// Messages that differ in numbers and quoted names are of one class.
fn without_numbers(text: &str) -> String {
    let mut quoted = false;
    let kept = text.chars().filter(|c| {
        quoted ^= *c == '\'' || *c == '"';
        !c.is_ascii_digit() && !quoted
    });
    kept.take(100).collect()
}

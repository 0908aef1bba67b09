//! Runs ptxas.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// What ptxas says of the lines of a file.
#[derive(Debug)]
pub struct Verdict {
    /// The lines that it refuses, counted from 0, and why.
    pub refused: BTreeMap<usize, String>,
    /// What it says of the rest without naming a line, if it does not take that.
    pub rest: Option<String>,
}

/// Assembles, and takes out each line that ptxas refuses until it takes what is left or names no line.
pub fn assemble(mut lines: Vec<String>, chip: &str) -> Verdict {
    let mut refused = BTreeMap::new();
    loop {
        let arguments = ["-arch", chip, "-o", "/dev/null", "/dev/stdin"];
        let Err(said) = run(Command::new(&*PTXAS).args(arguments), &lines.join("\n")) else {
            return Verdict { refused, rest: None };
        };
        let before = refused.len();
        for (line, why) in said.lines().filter_map(complaint) {
            refused.entry(line).or_insert(why);
            lines[line].clear();
        }
        if refused.len() == before {
            return Verdict { refused, rest: Some(said) };
        }
    }
}

/// `ptxas FILE, line 9; error   : Unknown modifier '.x'`
fn complaint(message: &str) -> Option<(usize, String)> {
    let (line, rest) = message.split_once(", line ")?.1.split_once(';')?;
    let (severity, text) = rest.split_once(':')?;
    let line: usize = line.trim().parse().ok()?;
    ["error", "fatal"].contains(&severity.trim()).then(|| (line.saturating_sub(1), text.trim().to_string()))
}

/// Runs a program on an input: what it printed, or what it complained of.
pub fn run(command: &mut Command, input: &str) -> Result<String, String> {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|why| format!("{command:?}: {why}"))?;
    let mut stdin = child.stdin.take().expect("it is a pipe");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input.as_bytes()));
        child.wait_with_output().expect("it was started")
    });
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into()),
        false => Err(format!(
            "{}{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
            output.status
        )),
    }
}

/// Whether there is one. Where there is none it says so, though the test passes.
#[allow(dead_code)] // The variants are nothing without it.
pub fn is_there() -> bool {
    static IS_THERE: LazyLock<bool> = LazyLock::new(|| {
        let found = Command::new(&*PTXAS).arg("--version").output();
        if let Err(why) = &found {
            // Not println, which cargo test keeps to itself.
            let _ = writeln!(std::io::stderr(), "skipped: {}: {why}; ./dev setup installs it", PTXAS.display());
        }
        found.is_ok()
    });
    *IS_THERE
}

/// The ptxas that `./dev setup` installs, else the one on PATH.
static PTXAS: LazyLock<PathBuf> = LazyLock::new(|| {
    let lib = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.venv/lib");
    let pythons = std::fs::read_dir(lib).into_iter().flatten().filter_map(Result::ok);
    let own =
        pythons.map(|python| python.path().join("site-packages/nvidia/cu13/bin/ptxas")).find(|path| path.exists());
    own.unwrap_or("ptxas".into())
});

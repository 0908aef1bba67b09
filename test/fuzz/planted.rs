//! The fuzzing is tested: what is faulty is found.

use crate::judge::{self, Fault, Kind, Limits};
use crate::programs::Fuzz;
use crate::{kept, layout, legality, opcode, pure, seed, tests};
use ptx_tile_dialect::layout::{Layout, Offset};
use ptx_tile_dialect::legality::{Application, Apply, Tile, Word};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{fs, thread};

/// The most time that a planted fault takes to be found; it goes on only as long as it must.
const LONG: Duration = Duration::from_secs(100);

#[track_caller]
fn found(target: &str, what: &str, body: &pure::Body) {
    let corpus = tests().join("fuzz/corpus").join(target);
    let (input, why) = pure::run(body, &corpus, LONG, seed()).expect_err(what);
    assert!(body(&input).is_err(), "{what}: {why}, and not again");
}

#[test]
fn faulty_opcodes_are_found() {
    use opcode::{TESTED, Tested};
    let faulty = |what: &str, tested: Tested| found("opcode", what, &move |data: &[u8]| opcode::check(data, &tested));
    faulty("modifiers stay as they are", Tested { canonical: str::to_string, ..TESTED });
    faulty(
        "the last modifier is lost",
        Tested { read: |text| (TESTED.read)(text.rsplit_once('.').map_or(text, |(front, _)| front)), ..TESTED },
    );
    faulty("a text is read as nothing", Tested { read: |text| (TESTED.read)(text).or(Ok(vec![])), ..TESTED });
    faulty("a message is empty", Tested { read: |_| Err(anyhow::anyhow!("")), ..TESTED });
    faulty("a star stands for no dot", Tested { is_like: |text, _| !text.contains('.'), ..TESTED });
}

#[test]
fn faulty_layouts_are_found() {
    use layout::{TESTED, Tested};
    let faulty = |what: &str, tested: Tested| found("layout", what, &move |data: &[u8]| layout::check(data, &tested));
    faulty("a span is one too few", Tested { span: |layout, axis| layout.span(axis) - 1, ..TESTED });
    faulty(
        "copies are left out of a span",
        Tested { span: |layout, axis| without_copies(layout).span(axis), ..TESTED },
    );
    faulty(
        "slots come backwards",
        Tested { slots: |layout| (TESTED.slots)(layout).into_iter().rev().collect(), ..TESTED },
    );
    faulty("all is injective", Tested { surely_injective: |_| true, ..TESTED });
    faulty(
        "a slice begins at 0",
        Tested { slice: |layout, shape, _, extents| layout.slice(shape, &vec![0; shape.len()], extents), ..TESTED },
    );
    faulty("nothing is canonical", Tested { canonical: Layout::clone, ..TESTED });
    faulty("an offset is lost", Tested { canonical: |layout| without_offset(&layout.canonical()), ..TESTED });
    faulty("a text lacks the copies", Tested { text: |layout| without_copies(layout).to_string(), ..TESTED });
}

fn without_copies(layout: &Layout) -> Layout {
    let plain = Layout::new(layout.shard().to_vec(), vec![], layout.offset().to_vec()).expect("it is less");
    layout.swizzle().map_or(plain.clone(), |swizzle| plain.with_swizzle(swizzle).expect("it had that"))
}

fn without_offset(layout: &Layout) -> Layout {
    let offset = layout.offset().iter().map(|it| Offset { value: 0, ..*it }).collect();
    let plain = Layout::new(layout.shard().to_vec(), layout.replica().to_vec(), offset).expect("it is less");
    layout.swizzle().map_or(plain.clone(), |swizzle| plain.with_swizzle(swizzle).expect("it had that"))
}

#[test]
fn faulty_verdicts_are_found() {
    use legality::{TESTED, Tested};
    let faulty =
        |what: &str, tested: Tested| found("legality", what, &move |data: &[u8]| legality::check(data, &tested));
    faulty("a view of anything is legal", Tested { view: |_, _| Ok(()), ..TESTED });
    faulty("a slice of anything is legal", Tested { slice: |_, _, _, _| Ok(()), ..TESTED });
    faulty("nothing is legal", Tested { apply: |_| anyhow::bail!("no"), ..TESTED });
    faulty(
        "repeats are one too few",
        Tested {
            apply: |it| (TESTED.apply)(it).map(|found| Application { repeats: found.repeats - 1, ..found }),
            ..TESTED
        },
    );
    faulty(
        "sunk words are not looked at",
        Tested { apply: |it| (TESTED.apply)(&Apply { sink: &[], ..*it }), ..TESTED },
    );
    faulty(
        "a destination may overlap",
        Tested {
            apply: |it| {
                let dense = |word: &Word| match word {
                    Word::Tile(tile) => Word::Tile(Tile {
                        layout: Layout::row_major(&tile.shape).expect("it has the elements"),
                        ..tile.clone()
                    }),
                    scalar => scalar.clone(),
                };
                (TESTED.apply)(&Apply { words: &it.words.iter().map(dense).collect::<Vec<_>>(), ..*it })
            },
            ..TESTED
        },
    );
}

#[test]
fn panics_and_time_are_found() {
    let panics = |_: &[u8]| -> Result<(), String> { panic!("planted") };
    let (_, why) = pure::run(&panics, Path::new("none"), LONG, 0).unwrap_err();
    assert_eq!(why, "it panicked, see above");
    let slow = |_: &[u8]| {
        thread::sleep(pure::LIMIT + Duration::from_millis(100));
        Ok(())
    };
    let (_, why) = pure::run(&slow, Path::new("none"), LONG, 0).unwrap_err();
    assert!(why.starts_with("it took"), "{why}");
}

//===------------------------------------------------------------------------------------------------------------===//
// Programs
//===------------------------------------------------------------------------------------------------------------===//

/// A program that is no tile-opt.
fn fake(folder: &Path, name: &str, script: &str) -> PathBuf {
    let path = folder.join(name);
    // Another process writes it: a child that another test starts meanwhile would hold the file open for writing, and
    // what is so does not run.
    let write = "printf '%s\n' '#!/bin/sh' \"$2\" >\"$1\" && chmod +x \"$1\"";
    let status = Command::new("sh").args(["-c", write, "sh"]).arg(&path).arg(script).status().expect("sh is there");
    assert!(status.success(), "{} cannot be written", path.display());
    path
}

/// A stack dump that has so many frames of one function.
fn dump(count: usize) -> String {
    let frame = "echo '4  libMLIR.so.22.1 0x00007f16 mlir::parse(int) + 54' >&2\n";
    format!("echo 'Stack dump:' >&2\n{}", frame.repeat(count))
}

#[test]
fn each_way_to_fail_is_judged_as_that() {
    let folder = kept("judge");
    let limits = Limits { processor: 1, wall: 100, memory: 1 << 20 };
    let run_within = |limits: Limits, script: &str| {
        let program = fake(&folder, "fake", script);
        judge::run(&program, &[], limits, &folder).expect("it can be run").fault.map(|fault| (fault.kind, fault.place))
    };
    let run = |script: &str| run_within(limits, script);
    let is = |kind, place: &str| Some((kind, place.to_string()));
    assert_eq!(run("echo module"), None);
    assert_eq!(run("echo 'a.mlir:1:1: error: no' >&2; exit 1"), None);
    assert_eq!(run("kill -ABRT $$"), is(Kind::Signal, "unknown"));
    assert_eq!(run(&(dump(3) + "kill -SEGV $$")), is(Kind::Signal, "mlir::parse"));
    assert_eq!(run(&(dump(250) + "kill -SEGV $$")), is(Kind::StackOverflow, "mlir::parse"));
    assert_eq!(run(&(dump(1) + "exit 1")), is(Kind::Signal, "mlir::parse"));
    assert_eq!(run("while :; do :; done"), is(Kind::Hang, "unknown"));
    assert_eq!(run_within(Limits { wall: 1, ..limits }, "exec sleep 100"), is(Kind::Hang, "waits"));
    assert_eq!(run("echo 'LLVM ERROR: out of memory' >&2; kill -ABRT $$"), is(Kind::Memory, "unknown"));
    assert_eq!(run("exit 1"), is(Kind::Silent, "fails and says nothing"));
    assert_eq!(run("exit 0"), is(Kind::Silent, "succeeds and prints nothing"));
    assert_eq!(run("echo module; echo 'a.mlir:7:1: error: no 7' >&2"), is(Kind::Contradiction, "no "));
    assert_eq!(
        run("echo \"a.mlir:7:1: error: 'x' op internal error: index 7\" >&2; exit 1"),
        is(Kind::Internal, "' op internal error: index ")
    );
    for (script, place) in [
        ("test -e \"$1\" && { echo 'a:1:1: error: no' >&2; exit 1; }; echo module", "no"),
        ("cat \"$1\"; echo module", "is printed otherwise"),
    ] {
        let program = fake(&folder, "fake", script);
        fs::write(folder.join("out"), "module").expect("target can be written");
        let fault = judge::again(&program, &[], limits, &folder).expect("it can be run").expect(script);
        assert_eq!((fault.kind, fault.place.as_str()), (Kind::RoundTrip, place));
    }
    fs::write(folder.join("out"), "module\n").expect("target can be written");
    assert_eq!(judge::again(&fake(&folder, "fake", "cat \"$1\""), &[], limits, &folder).expect("it can be run"), None);
    // The limits hold for what runs.
    assert_eq!(run("test $(ulimit -t) = 1 && test $(ulimit -v) = 1048576 && echo module"), None);
}

#[test]
fn faults_of_programs_are_kept_and_told_apart() {
    let folder = kept("planted");
    let [good, bad] = [("good", "echo module"), ("bad", "echo module; grep -q memref \"$2\" && kill -ABRT $$; exit 0")]
        .map(|(name, script)| fake(&folder, name, script));
    let run = |opt: &Path, mlir_opt: &Path| {
        let programs = [("tile-opt", opt.to_path_buf()), ("tile-translate", good.clone())];
        Fuzz::new(&tests(), programs, mlir_opt.to_path_buf(), &folder).run(Duration::from_secs(1), seed())
    };
    let signal = Fault { kind: Kind::Signal, place: "unknown".into() };
    let found = run(&bad, &good);
    let (count, again) = &found.ours[&signal];
    let file = again.rsplit(' ').next().expect("it names a file");
    assert!(*count > 0 && fs::read_to_string(file).is_ok_and(|text| text.contains("memref")), "{}", found.text());
    let found = run(&good, &good);
    assert!(found.tried > 0 && found.ours.is_empty() && found.mlirs.is_empty(), "{}", found.text());
    let found = run(&bad, &fake(&folder, "mlir-opt", "kill -ABRT $$"));
    assert!(found.ours.is_empty() && found.mlirs.contains_key(&signal), "{}", found.text());
}

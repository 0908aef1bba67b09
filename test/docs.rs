//! The documentation is that of the records: README's tables, a page for each mnemonic, the special registers, the ops of
//! the `tile` dialect and the passes; and the rules that messages, code and pages cite are in `docs/rules.md`.
//!
//! - `./dev docs`, or `UPDATE=1 cargo test --release --test docs`, writes what this test wants.
//! - What pages show of PTX and of expansion, the programs print; that each line of MLIR verifies is tested here, and
//!   lit compiles the example of each page once more, as a user would.
//! - The test is tested: an old page, a line that does not verify and a rule that is nowhere are found.

#[path = "docs/example.rs"]
mod example;
#[path = "docs/page.rs"]
mod page;
#[allow(dead_code, reason = "of what ptxas is asked, only how much it is")]
#[path = "variants/plan.rs"]
mod plan;
#[path = "docs/rules.rs"]
mod rules;
#[path = "docs/syntax.rs"]
mod syntax;
#[path = "docs/tables.rs"]
mod tables;
#[path = "docs/words.rs"]
mod words;

use example::Example;
use ptx_tile_dialect::instruction::INSTRUCTIONS;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PAGES: &str = "docs/instructions";
const UPDATE: &str = "./dev docs brings it up to date";

#[test]
fn documentation_is_up_to_date() {
    let wanted = documents();
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(root().join(PAGES)).unwrap();
        stale(&wanted).iter().for_each(|path| fs::remove_file(path).unwrap());
        wanted.iter().for_each(|(path, text)| fs::write(path, text).unwrap());
    }
    let old = old(&wanted);
    assert!(old.is_empty(), "{UPDATE}:\n{}", old.join("\n"));
}

/// What differs from what is wanted, each with the first line that does.
fn old(wanted: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let mut old: Vec<String> =
        stale(wanted).iter().map(|path| format!("{} is of no instruction", path.display())).collect();
    for (path, text) in wanted {
        let found = fs::read_to_string(path).unwrap_or_default();
        if found != *text {
            let differing = lines(&found).zip(lines(text)).find(|(a, b)| a != b);
            let (found, wanted) = differing.expect("texts that differ do so in a line");
            old.push(format!("{} is old: found \"{found}\", wanted \"{wanted}\"", path.display()));
        }
    }
    old
}

/// The lines, and no end.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').chain(std::iter::repeat("the end"))
}

/// Pages of instructions that there are not.
fn stale(wanted: &BTreeMap<PathBuf, String>) -> Vec<PathBuf> {
    let pages = fs::read_dir(root().join(PAGES)).into_iter().flatten().map(|entry| entry.unwrap().path());
    pages.filter(|path| path.extension().is_some_and(|it| it == "md") && !wanted.contains_key(path)).collect()
}

/// All that is made, by path.
fn documents() -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    let example = root().join("examples/register_move.mlir");
    let program = program(&fs::read_to_string(&example).unwrap());
    let ptx = translate(&["--mlir-to-ptx".into()], &fs::read_to_string(&example).unwrap());
    let ptx = ptx[ptx.find(".version").unwrap()..].trim_end();
    for (path, sections) in [
        (
            "README.md",
            vec![
                ("program", format!("```mlir\n{program}```\n")),
                ("PTX", format!("```ptx\n{ptx}\n```\n")),
                ("certified", plan::counts().to_string()),
                ("instructions", tables::coverage("docs/instructions/")),
            ],
        ),
        ("docs/instructions/README.md", vec![("instructions", tables::index())]),
        ("docs/special-registers.md", vec![("special registers", tables::special_registers())]),
    ] {
        let path = root().join(path);
        let text = fs::read_to_string(&path).unwrap();
        let text = sections.iter().fold(text, |text, (section, made)| replace(&text, section, made));
        all.insert(path, text);
    }
    for (path, made) in references() {
        all.insert(root().join(path), made);
    }
    for (mnemonic, text) in pages() {
        all.insert(root().join(PAGES).join(format!("{mnemonic}.md")), text);
    }
    all
}

/// What MLIR's own generators say of the ops, attributes and passes.
fn references() -> [(&'static str, String); 2] {
    let llvm = PathBuf::from(std::env::var_os("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22".into()));
    let made = |generator: &[&str], td: &str| {
        let mut tblgen = Command::new(llvm.join("bin/mlir-tblgen"));
        tblgen.args(generator).arg("-I").arg(llvm.join("include")).arg("-I").arg(root().join("dialect"));
        let text = run(tblgen.arg(root().join(td)), "").unwrap();
        format!("{}\n", text.replace("[TOC]\n\n", "").trim_end())
    };
    [
        ("docs/tile.md", made(&["-gen-dialect-doc", "-dialect=tile"], "dialect/tile.td")),
        ("docs/passes.md", format!("# Passes\n\n{}", made(&["-gen-pass-doc"], "passes/passes.td"))),
    ]
}

/// Puts `made` between `<!-- section -->` and `<!-- /section -->`.
fn replace(text: &str, section: &str, made: &str) -> String {
    let (begin, end) = (format!("<!-- {section} -->\n"), format!("<!-- /{section} -->"));
    let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("a document lacks {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("a document lacks {end}"));
    format!("{before}{begin}{made}{end}{after}")
}

/// An example without the lines that lit and FileCheck read.
fn program(text: &str) -> String {
    let begin = text.find("!tile").unwrap();
    let end = text.find("\n}\n").unwrap() + 3;
    text[begin..end].into()
}

/// The page of each mnemonic.
fn pages() -> Vec<(&'static str, String)> {
    let examples: Vec<Example> = INSTRUCTIONS.iter().map(Example::of).collect();
    let modules: Vec<&str> = examples.iter().map(|example| example.module.as_str()).collect();
    let expanded = opt(&["--tile-expand"], &modules).unwrap_or_else(|why| panic!("{why}"));
    let expanded: Vec<&str> = expanded.split("// -----").collect();
    assert_eq!(expanded.len(), examples.len());
    let ptx = |example: &Example| translate(&example.options(), &example.module);
    // A process for each, of which two run at a time.
    let (front, back) = examples.split_at(examples.len() / 2);
    let texts: Vec<String> = std::thread::scope(|scope| {
        let back = scope.spawn(|| back.iter().map(ptx).collect::<Vec<_>>());
        let front: Vec<String> = front.iter().map(ptx).collect();
        [front, back.join().unwrap()].concat()
    });
    let parts = INSTRUCTIONS.iter().zip(&examples).zip(expanded.iter().zip(&texts));
    parts
        .map(|((instruction, example), (op, ptx))| (instruction.mnemonic, page::page(instruction, example, op, ptx)))
        .collect()
}

#[test]
fn every_line_of_usage_verifies() {
    let functions: Vec<String> = INSTRUCTIONS.iter().flat_map(page::usages).flat_map(|usage| usage.functions).collect();
    assert!(functions.len() > 10, "{}", functions.len());
    let module = example::module(&functions);
    opt(&[], &[&module]).unwrap_or_else(|why| panic!("{module}\n{why}"));

    let planted = functions.iter().map(|it| it.replacen("(%a", "(%nosuch", 1)).find(|it| it.contains("%nosuch"));
    assert!(opt(&[], &[&example::module(&[planted.unwrap()])]).is_err());
}

#[test]
fn every_rule_that_is_cited_is_there() {
    let page = fs::read_to_string(root().join("docs/rules.md")).unwrap();
    let undefined = |files: &[(PathBuf, String)]| rules::undefined(&page, files);
    let files = rules::files(&root());
    assert!(files.len() > 100, "{}", files.len());
    let lacking = undefined(&files);
    assert!(lacking.is_empty(), "docs/rules.md lacks {lacking:?}");

    // Put together here, as this file is searched too.
    let planted = [(PathBuf::from("planted.rs"), format!("bail!(\"slots overlap (R61, R{})\")", 999))];
    assert_eq!(undefined(&planted).into_keys().collect::<Vec<_>>(), [format!("R{}", 999)]);
    let mut sorted = rules::defined(&page);
    sorted.sort_by_key(|rule| (!rule.starts_with('R'), rule[1..].parse::<u32>().unwrap()));
    assert_eq!(rules::defined(&page), sorted, "in order, each once");
    sorted.dedup();
    assert_eq!(rules::defined(&page).len(), sorted.len());
}

#[test]
fn an_old_page_is_found() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (path, wanted) = (folder.join("page.md"), "# mov\n\nCopies.\n");
    for (found, says) in
        [("# mov\n\nMoves.\n", "Moves."), ("# mov\n", "the end"), ("# mov\n\nCopies.\n\nMore.\n", "More.")]
    {
        fs::write(&path, found).unwrap();
        let old = old(&BTreeMap::from([(path.clone(), wanted.to_string())]));
        assert!(old.iter().any(|line| line.contains("page.md is old") && line.contains(says)), "{old:?}");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().into()
}

/// The PTX of a module.
fn translate(options: &[String], module: &str) -> String {
    let command = &mut Command::new(env!("CARGO_BIN_EXE_tile-translate"));
    run(command.args(options).arg("-"), module).unwrap_or_else(|why| panic!("{module}\n{why}"))
}

/// Modules after some passes of `tile-opt`.
fn opt(passes: &[&str], modules: &[&str]) -> Result<String, String> {
    let command = &mut Command::new(env!("CARGO_BIN_EXE_tile-opt"));
    run(command.arg("--split-input-file").args(passes), &modules.join("// -----\n"))
}

/// What a program prints, or its complaint.
fn run(command: &mut Command, input: &str) -> Result<String, String> {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|why| format!("{command:?}: {why}"))?;
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_string());
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout).unwrap()),
        false => Err(String::from_utf8_lossy(&output.stderr).into()),
    }
}

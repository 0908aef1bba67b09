//! dev
#[path = "variants/certify.rs"]
mod certify;
#[path = "variants/converse.rs"]
mod converse;
#[path = "variants/enumerate.rs"]
mod enumerate;
#[path = "variants/jobs.rs"]
mod jobs;
#[path = "variants/misses.rs"]
mod misses;
#[path = "variants/module.rs"]
mod module;
#[path = "variants/needs.rs"]
mod needs;
#[path = "variants/ptxas.rs"]
mod ptxas;
#[path = "variants/targets.rs"]
mod targets;

#[test]
fn sample() {
    let mut cases = enumerate::cases();
    println!("{} spellings {} cases", enumerate::spellings().len(), cases.len());
    if std::env::var_os("FULL").is_none() { cases = enumerate::sample(&cases); }
    let (n, faults) = certify::assemble(&cases);
    println!("{n} {}", faults.len());
    for f in &faults { println!("{f}"); }
}
#[test]
fn need() {
    let (trials, hidden) = needs::trials(&enumerate::cases());
    println!("{} trials, {} hidden", trials.len(), hidden.len());
    for h in hidden { println!("hidden {h}"); }
    for f in needs::faults(&trials) { println!("fault {f}"); }
}
#[test]
fn miss() {
    let t = std::time::Instant::now();
    let all = misses::misses();
    println!("{} misses {:?}", all.len(), t.elapsed());
    let mut by: std::collections::BTreeMap<&str, usize> = Default::default();
    for v in &all { *by.entry(v.instruction.mnemonic).or_default() += 1; }
    println!("{by:?}");
    if std::env::var_os("COUNT").is_some() { return; }
    let taken = converse::taken(&all);
    println!("{} taken {:?}", taken.len(), t.elapsed());
    use std::fmt::Write as _;
    let mut text = String::new();
    for miss in &taken {
        let why = miss.covered(miss.instruction.refused);
        writeln!(text, "{} {} {miss}", if why.is_empty() { "UNCOVERED" } else {"covered"}, miss.target.chip).unwrap();
        if miss.is_read() { println!("READ {miss}"); }
    }
    std::fs::write("/tmp/c/taken.txt", text).unwrap();
    let f = converse::judge(&taken, |i| i.refused);
    println!("ignored {:?}\nstale {:#?}", f.ignored, f.stale);
    std::fs::write("/tmp/c/open.txt", f.open.join("\n")).unwrap();
}
#[test]
fn legal() {
    let all: Vec<_> = enumerate::spellings().iter().step_by(7).map(misses::Miss::none).collect();
    let taken = converse::taken(&all);
    println!("legal {} taken {}", all.len(), taken.len());
    let taken: std::collections::HashSet<String> = taken.iter().map(|m| m.to_string()).collect();
    for m in all.iter().filter(|m| !taken.contains(&m.to_string())).take(40) { println!("NOT {m} {:?}", m.target); }
    for m in all.iter().filter(|m| !m.is_legal() || !m.is_read()).take(40) { println!("ILLEGAL {m} {:?}", m.target); }
}

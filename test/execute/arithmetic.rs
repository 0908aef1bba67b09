//! Random index arithmetic: any list of numbers is an op on values that are there.
//!
//! Integers of every width and `index`, by `arith`, `index` and `affine`. Constants are small, powers of two or at an
//! edge, so that results wrap, are cut off and change their sign.

use crate::tile::Choices;

/// A type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Index,
    Int(u32),
}

impl Kind {
    pub fn width(self) -> u32 {
        match self {
            Kind::Index => 64,
            Kind::Int(width) => width,
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Kind::Index => out.write_str("index"),
            Kind::Int(width) => write!(out, "i{width}"),
        }
    }
}

/// A value of a program.
#[derive(Clone, Debug)]
pub struct Value {
    pub name: String,
    pub kind: Kind,
}

/// The lines of an op, and what it makes.
pub type Made = (Vec<String>, Value);

const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// A value that is there; those made last are likelier.
fn recent(values: &[Value], choices: &mut Choices) -> Value {
    let from = if choices.once_in(2) { 0 } else { values.len().saturating_sub(6) };
    choices.of(&values[from..]).expect("there are values")
}

/// A number that arithmetic on a type may do something with.
pub fn number(kind: Kind, choices: &mut Choices) -> i64 {
    const SMALL: [i64; 16] = [1, 2, 4, 8, 3, 5, 7, 12, 16, 32, 64, 63, 255, 256, 0, 96];
    const LARGE: [i64; 8] = [-1, -4, -8, 1 << 31, -(1 << 31), 1 << 40, i64::MAX, i64::MIN];
    let number = match choices.below(4) {
        3 => LARGE[choices.below(LARGE.len())],
        _ => SMALL[choices.below(SMALL.len())],
    };
    let unused = 64 - kind.width();
    number << unused >> unused
}

/// One op on some of `values`, whose result is `name`.
pub fn operation(values: &[Value], name: &str, choices: &mut Choices) -> Made {
    let first = recent(values, choices);
    match choices.below(10) {
        0 | 1 => cast(&first, name, choices),
        2 => select(values, &first, name, choices),
        3 | 4 if first.kind == Kind::Index => affine(values, &first, name, choices),
        _ => binary(values, &first, name, choices),
    }
}

fn cast(first: &Value, name: &str, choices: &mut Choices) -> Made {
    let width = WIDTHS[choices.below(4)];
    let sign = choices.once_in(2);
    let (op, to) = match first.kind {
        Kind::Index if choices.once_in(4) => (if sign { "index.casts" } else { "index.castu" }, Kind::Int(width)),
        Kind::Int(_) if choices.once_in(8) => (if sign { "index.casts" } else { "index.castu" }, Kind::Index),
        Kind::Index => (if sign { "arith.index_cast" } else { "arith.index_castui" }, Kind::Int(width)),
        Kind::Int(from) if choices.once_in(2) || width == from => {
            (if sign { "arith.index_cast" } else { "arith.index_castui" }, Kind::Index)
        }
        Kind::Int(from) if width > from => (if sign { "arith.extsi" } else { "arith.extui" }, Kind::Int(width)),
        Kind::Int(_) => ("arith.trunci", Kind::Int(width)),
    };
    let line = format!("{name} = {op} {} : {} to {to}", first.name, first.kind);
    (vec![line], Value { name: name.into(), kind: to })
}

/// Another value of its type, or a constant.
fn second(values: &[Value], kind: Kind, name: &str, choices: &mut Choices, lines: &mut Vec<String>) -> String {
    let same: Vec<Value> = values.iter().filter(|value| value.kind == kind).cloned().collect();
    if choices.once_in(3)
        && let Some(value) = choices.of(&same)
    {
        return value.name;
    }
    lines.push(format!("{name}c = arith.constant {} : {kind}", number(kind, choices)));
    format!("{name}c")
}

fn select(values: &[Value], first: &Value, name: &str, choices: &mut Choices) -> Made {
    const ORDERS: [&str; 6] = ["slt", "ult", "sge", "uge", "eq", "ne"];
    let mut lines = vec![];
    let other = second(values, first.kind, name, choices, &mut lines);
    let third = second(values, first.kind, &format!("{name}t"), choices, &mut lines);
    let (order, Value { name: its, kind }) = (ORDERS[choices.below(6)], first);
    lines.push(format!("{name}q = arith.cmpi {order}, {its}, {other} : {kind}"));
    let (a, b) = if choices.once_in(2) { (its, &third) } else { (&other, &third) };
    lines.push(format!("{name} = arith.select {name}q, {a}, {b} : {kind}"));
    (lines, Value { name: name.into(), kind: *kind })
}

fn affine(values: &[Value], first: &Value, name: &str, choices: &mut Choices) -> Made {
    let mut lines = vec![];
    let other = second(values, Kind::Index, name, choices, &mut lines);
    let (a, b) = ([1, 2, 4, 8, 3, 12, 16, 31][choices.below(8)], [0, 1, 4, 7, -1, -8, 64, 100][choices.below(8)]);
    let expression = match choices.below(8) {
        0 => format!("d0 mod {a}"),
        1 => format!("d0 floordiv {a}"),
        2 => format!("d0 ceildiv {a}"),
        3 => format!("d0 * {a} + {b}"),
        4 => format!("d0 + d1 * {a}"),
        5 => format!("(d0 + {b}) mod {a} + d1"),
        6 => format!("(d0 floordiv {a}) * {a} + {b}"),
        _ => format!("{b} - d0 * {a}"),
    };
    lines.push(match choices.below(6) {
        0 => format!("{name} = affine.min affine_map<(d0, d1) -> ({expression}, d1)>({}, {other})", first.name),
        1 => format!("{name} = affine.max affine_map<(d0, d1) -> ({expression}, d1)>({}, {other})", first.name),
        _ => format!("{name} = affine.apply affine_map<(d0, d1) -> ({expression})>({}, {other})", first.name),
    });
    (lines, Value { name: name.into(), kind: Kind::Index })
}

fn binary(values: &[Value], first: &Value, name: &str, choices: &mut Choices) -> Made {
    // As arith and as index have them.
    const OPS: [(&str, &str); 20] = [
        ("addi", "add"),
        ("muli", "mul"),
        ("subi", "sub"),
        ("remui", "remu"),
        ("andi", "and"),
        ("remsi", "rems"),
        ("divui", "divu"),
        ("divsi", "divs"),
        ("ori", "or"),
        ("xori", "xor"),
        ("shli", "shl"),
        ("shrui", "shru"),
        ("shrsi", "shrs"),
        ("minui", "minu"),
        ("minsi", "mins"),
        ("maxui", "maxu"),
        ("maxsi", "maxs"),
        ("ceildivui", "ceildivu"),
        ("ceildivsi", "ceildivs"),
        ("floordivsi", "floordivs"),
    ];
    let (arith, index) = OPS[choices.below(OPS.len())];
    let mut lines = vec![];
    let other = match arith.starts_with("sh") && !choices.once_in(8) {
        true => {
            let most = first.kind.width() as usize;
            let by = if choices.once_in(3) { choices.below(most) } else { choices.below(5) };
            lines.push(format!("{name}c = arith.constant {by} : {}", first.kind));
            format!("{name}c")
        }
        false => second(values, first.kind, name, choices, &mut lines),
    };
    let Value { name: its, kind } = first;
    let (a, b) = if choices.once_in(8) && !arith.starts_with("sh") { (&other, its) } else { (its, &other) };
    lines.push(match *kind == Kind::Index && choices.once_in(4) {
        true => format!("{name} = index.{index} {a}, {b}"),
        false => format!("{name} = arith.{arith} {a}, {b} : {kind}"),
    });
    (lines, Value { name: name.into(), kind: *kind })
}

/// A multiple of `step` from 0 to `most` that some value decides; with `slack` it may be so many steps more.
pub fn bounded(values: &[Value], name: &str, most: i64, step: i64, slack: i64, choices: &mut Choices) -> Made {
    let indices: Vec<Value> = values.iter().filter(|value| value.kind == Kind::Index).cloned().collect();
    let from = indices.len().saturating_sub(if choices.once_in(2) { 4 } else { indices.len() });
    let its = choices.of(&indices[from..]).expect("there are indices").name;
    let most = most / step + slack;
    let bits = i64::from((most + 1).ilog2());
    let bound = if step == 1 { name.to_string() } else { format!("{name}b") };
    let mut lines = vec![];
    let mut constant = |suffix: &str, number: i64| {
        lines.push(format!("{name}{suffix} = arith.constant {number} : index"));
        format!("{name}{suffix}")
    };
    let line = match choices.below(6) {
        0 => format!("{bound} = arith.minui {its}, {} : index", constant("m", most)),
        1 => {
            let (zero, most) = (constant("z", 0), constant("m", most));
            format!("{name}p = arith.maxsi {its}, {zero} : index\n    {bound} = arith.minsi {name}p, {most} : index")
        }
        2 => format!("{bound} = arith.andi {its}, {} : index", constant("m", (1 << bits) - 1)),
        3 if bits > 0 => format!("{bound} = arith.shrui {its}, {} : index", constant("m", 64 - bits)),
        _ => format!("{bound} = arith.remui {its}, {} : index", constant("m", most + 1)),
    };
    lines.push(line);
    if step > 1 && choices.once_in(2) && step.count_ones() == 1 {
        lines.push(format!("{name}s = arith.constant {} : index", step.ilog2()));
        lines.push(format!("{name} = arith.shli {bound}, {name}s : index"));
    } else if step > 1 {
        lines.push(format!("{name}s = arith.constant {step} : index"));
        lines.push(format!("{name} = arith.muli {bound}, {name}s : index"));
    }
    (lines, Value { name: name.into(), kind: Kind::Index })
}

/// The same, where what is a multiple of `step` may wrap before it is bounded, and then be none.
pub fn scaled(values: &[Value], name: &str, most: i64, step: i64, choices: &mut Choices) -> Made {
    let indices: Vec<Value> = values.iter().filter(|value| value.kind == Kind::Index).cloned().collect();
    let its = choices.of(&indices).expect("there are indices").name;
    let most = most - most % step;
    let rest = if choices.once_in(2) { "arith.remui" } else { "arith.remsi" };
    let lines = vec![
        format!("{name}s = arith.constant {step} : index"),
        format!("{name}m = arith.constant {} : index", most + step),
        format!("{name}l = arith.constant {most} : index"),
        format!("{name}z = arith.constant 0 : index"),
        format!("{name}p = arith.muli {its}, {name}s : index"),
        format!("{name}r = {rest} {name}p, {name}m : index"),
        format!("{name}q = arith.maxsi {name}r, {name}z : index"),
        format!("{name} = arith.minsi {name}q, {name}l : index"),
    ];
    (lines, Value { name: name.into(), kind: Kind::Index })
}

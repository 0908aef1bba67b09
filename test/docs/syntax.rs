//! The syntax of a mnemonic in a few lines: forms that differ in tokens alone become one, exactly.
//!
//! - A line is a product: at each place stand the choices of that place, whatever stands at the others. Two lines become
//!   one where they differ at one place alone, so that a line never shows an opcode that no form has.
//! - Types, and the vector length that the counts of registers follow, are one place: what a line has there is a list of
//!   products again.
//! - An operand that stands there where a certain modifier does is written with it: `{.L2::cache_hint}` and `{, policy}`.

use ptx_tile_dialect::instruction::{Form, Instruction, Needs, Operand, OperandType, Token, TokenKind};
use std::ptr;

/// The position whose token says how many registers a group has.
const VECTOR: &str = "vector length";

/// What may stand at a place; `None` is nothing.
pub type Choices = Vec<Option<&'static Token>>;

/// A place in the opcodes of a mnemonic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Column {
    name: &'static str,
    /// Which one of those of the name.
    number: usize,
    /// It is a type or a vector length.
    is_shape: bool,
}

/// Types and vector lengths that go together, and the registers that they make of the operands.
#[derive(Clone)]
pub struct Shape {
    /// What stands at each column that is a type or a vector length, nothing at others.
    pub choices: Vec<Choices>,
    /// A form that has it.
    pub form: &'static Form,
}

/// Forms as one line.
#[derive(Clone)]
pub struct Line {
    /// What stands at each column but those of the shapes.
    pub choices: Vec<Choices>,
    /// What stands at those.
    pub shapes: Vec<Shape>,
    /// The operands, and the column with whose token one comes and goes.
    pub operands: Vec<(&'static Operand, Option<usize>)>,
    /// The least target of all of it, whatever stands where.
    pub needs: Needs,
    /// The forms that became this; those of the operands are in the first.
    pub forms: Vec<&'static Form>,
}

impl Line {
    /// The tokens that may stand in it, each with its column.
    pub fn tokens(&self) -> impl Iterator<Item = (usize, &'static Token)> {
        let all = [&self.choices].into_iter().chain(self.shapes.iter().map(|shape| &shape.choices));
        all.flat_map(|choices| choices.iter().enumerate())
            .flat_map(|(column, choices)| choices.iter().copied().flatten().map(move |token| (column, token)))
    }

    /// The parts that its operands play are those of another line, or one has an operand more, which comes with a modifier.
    pub fn has_parts_of(&self, other: &Line) -> bool {
        let lasting =
            |line: &Line| line.operands.iter().filter(|(it, column)| column.is_none() && !it.cache_policy).count();
        let of =
            |line: &Line| line.operands.iter().map(|(it, _)| *it).filter(|it| !it.cache_policy).collect::<Vec<_>>();
        let is_group = |line: &Line| {
            let counts =
                |operand: &&Operand| operand.registers > 1 && !line.shapes.iter().any(|it| vector(it.form).is_some());
            line.operands
                .iter()
                .map(|(it, _)| *it)
                .filter(|it| !it.cache_policy)
                .map(|it| counts(&it))
                .collect::<Vec<_>>()
        };
        let (a, b) = (of(self), of(other));
        lasting(self) == lasting(other)
            && a.iter().zip(&b).all(|(a, b)| is_like(a, b))
            && is_group(self) == is_group(other)
    }
}

/// The syntax of a mnemonic.
pub struct Syntax {
    mnemonic: &'static str,
    columns: Vec<Column>,
    /// In the order of the forms.
    pub lines: Vec<Line>,
}

impl Syntax {
    /// Condenses the forms.
    pub fn of(instruction: &'static Instruction) -> Syntax {
        let (places, columns) = columns(instruction);
        let mut lines: Vec<Line> =
            instruction.forms.iter().zip(&places).map(|(form, places)| line(form, places, &columns)).collect();
        // What comes with a modifier first: both lines must be alike in all else.
        // What was left may go with what has become of others.
        while merge(&mut lines, joined) || merge(&mut lines, with_operand) {}
        for line in &mut lines {
            while merge(&mut line.shapes, same_shape) {}
        }
        Syntax { mnemonic: instruction.mnemonic, columns, lines }
    }

    /// `ld{.weak}.space{.vec}.type`, and what the placeholders stand for, which `legend` collects.
    pub fn opcode(&self, line: &Line, legend: &mut Legend) -> String {
        let first = &line.shapes[0].choices;
        let varies = |column: &usize| line.shapes.iter().any(|it| !same(&it.choices[*column], &first[*column]));
        let varied: Vec<usize> = (0..self.columns.len()).filter(varies).collect();
        let mut text = self.mnemonic.to_string();
        for i in 0..self.columns.len() {
            text += &match varied.as_slice() {
                [only] if i == *only => self.place(i, &all_of(line, i), legend),
                // Which of these go together, the entry of the last says.
                [.., last] if i == *last => {
                    let number = legend.number(&self.slugs(&varied), alternatives(line, &varied));
                    self.placeholder(line, i, &number)
                }
                [.., _] if varied.contains(&i) => self.placeholder(line, i, ""),
                _ if self.columns[i].is_shape => self.place(i, &first[i], legend),
                _ => self.place(i, &line.choices[i], legend),
            };
        }
        text
    }

    /// What stands at a place whatever stands at others: a token, or a placeholder for several.
    fn place(&self, column: usize, choices: &Choices, legend: &mut Legend) -> String {
        let present: Vec<&Token> = choices.iter().copied().flatten().collect();
        let text = match present.as_slice() {
            [] => return String::new(),
            [token] => format!(".{}", token.text),
            several => {
                let values = vec![tokens(&several.iter().copied().map(Some).collect())];
                format!("{}{}", self.slugs(&[column]), legend.number(&self.slugs(&[column]), values))
            }
        };
        if present.len() < choices.len() { format!("{{{text}}}") } else { text }
    }

    /// `{.vec}`, `.type2`.
    fn placeholder(&self, line: &Line, column: usize, number: &str) -> String {
        let name = format!("{}{number}", self.slugs(&[column]));
        if all_of(line, column).iter().any(Option::is_none) { format!("{{{name}}}") } else { name }
    }

    /// `.vec.type`: names as placeholders.
    fn slugs(&self, columns: &[usize]) -> String {
        columns.iter().map(|column| format!(".{}", self.slug(*column))).collect()
    }

    /// Short where the PTX ISA has a short word, and never a token, as those have no hyphen.
    fn slug(&self, column: usize) -> String {
        const SHORT: [(&str, &str); 8] = [
            ("state space", "space"),
            ("semantics", "sem"),
            ("cache operator", "cop"),
            ("L1 eviction priority", "L1-eviction"),
            ("cache operator or L1 eviction priority", "cop-or-L1-eviction"),
            ("L2 eviction priority", "L2-eviction"),
            ("L2 prefetch size", "prefetch"),
            (VECTOR, "vec"),
        ];
        if let Some(name) = self.type_name(column) {
            return name.into();
        }
        let name = self.columns[column].name;
        SHORT
            .iter()
            .find(|(long, _)| *long == name)
            .map_or_else(|| name.replace(' ', "-"), |(_, short)| short.to_string())
    }

    /// `type`, or `dtype`, `atype`, ... where several stand in an opcode.
    fn type_name(&self, column: usize) -> Option<&'static str> {
        let is_type = |it: &usize| self.columns[*it].is_shape && self.columns[*it].name != VECTOR;
        let types: Vec<usize> = (0..self.columns.len()).filter(is_type).collect();
        let at = types.iter().position(|it| *it == column)?;
        if types.len() == 1 { Some("type") } else { ["dtype", "atype", "btype", "ctype"].get(at).copied() }
    }

    /// What stands at a column: `state space`.
    pub fn name(&self, column: usize) -> &'static str {
        self.columns[column].name
    }

    /// The first types of a shape.
    pub fn first_types(&self, shape: &Shape) -> Vec<&'static Token> {
        let is_type = |it: &usize| self.columns[*it].is_shape && self.columns[*it].name != VECTOR;
        let mut types = (0..self.columns.len()).filter(is_type).map(|column| &shape.choices[column]);
        let first = types.find(|choices| choices.iter().any(Option::is_some));
        first.into_iter().flatten().copied().flatten().collect()
    }

    /// The name of the second type.
    pub fn second_type(&self) -> &'static str {
        (0..self.columns.len()).filter_map(|column| self.type_name(column)).nth(1).unwrap_or("type")
    }

    /// The tokens that are no types, each once, with the name of the first place where it stands.
    pub fn qualifiers(&self) -> Vec<(&'static str, &'static str)> {
        let mut all: Vec<(&'static str, &'static str)> = vec![];
        for (i, column) in self.columns.iter().enumerate() {
            let tokens = self.lines.iter().flat_map(|line| line.tokens().filter(move |(at, _)| *at == i));
            for (_, token) in tokens.filter(|(_, token)| !matches!(token.kind, TokenKind::Type(_))) {
                if !all.iter().any(|(_, known)| *known == token.text) {
                    all.push((column.name, token.text));
                }
            }
        }
        // A place that others share stands with theirs.
        let mut names: Vec<&str> = vec![];
        all.iter().for_each(|(name, _)| {
            if !names.contains(name) {
                names.push(name)
            }
        });
        all.sort_by_key(|(name, _)| names.iter().position(|known| known == name));
        all
    }
}

/// All that stands at a column of the shapes.
fn all_of(line: &Line, column: usize) -> Choices {
    let mut all: Choices = vec![];
    for choice in line.shapes.iter().flat_map(|shape| &shape.choices[column]) {
        if !all.iter().any(|known| is_same(*known, *choice)) {
            all.push(*choice);
        }
    }
    all
}

/// `.v2.{b8, b16}` for each shape, those of the same front together.
fn alternatives(line: &Line, columns: &[usize]) -> Vec<String> {
    let mut rows: Vec<Vec<Choices>> = vec![];
    for shape in &line.shapes {
        let row: Vec<Choices> = columns.iter().map(|column| shape.choices[*column].clone()).collect();
        let (last, front) = row.split_last().expect("some columns vary");
        match rows.iter_mut().find(|known| same_choices(&known[..front.len()], front)) {
            Some(known) => known[front.len()].extend(last.iter().copied()),
            None => rows.push(row),
        }
    }
    rows.iter().map(|row| row.iter().map(tokens).collect()).collect()
}

/// What placeholders stand for.
#[derive(Default)]
pub struct Legend {
    entries: Vec<(String, Vec<String>)>,
}

impl Legend {
    /// What tells a placeholder of this name, `.vec.type`, from others that stand for other things: a number, where there
    /// are any. Its last part is what is numbered.
    fn number(&mut self, name: &str, values: Vec<String>) -> String {
        let entry = (name.to_string(), values);
        if !self.entries.contains(&entry) {
            self.entries.push(entry.clone());
        }
        self.number_of(&entry)
    }

    fn number_of(&self, entry: &(String, Vec<String>)) -> String {
        let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_string();
        let mut like = self.entries.iter().filter(|other| last(&other.0) == last(&entry.0));
        match (like.clone().count(), like.position(|other| other == entry)) {
            (2.., Some(at)) => (at + 1).to_string(),
            _ => String::new(),
        }
    }

    /// `chips1`, which the legend spells out.
    pub fn chips(&mut self, names: &[&str]) -> String {
        format!("chips{}", self.number("chips", vec![names.join(", ")]))
    }

    /// `.type1 = .{b8, b16}`, alternatives below one another.
    pub fn lines(&self) -> Vec<String> {
        let names: Vec<String> = self.entries.iter().map(|it| format!("{}{}", it.0, self.number_of(it))).collect();
        let width = names.iter().map(String::len).max().unwrap_or(0);
        let line = |(name, (_, values)): (&String, &(String, Vec<String>))| {
            let line = |(i, value): (usize, &String)| match i {
                0 => format!("{name:width$} = {value}"),
                _ => format!("{:width$} | {value}", ""),
            };
            values.iter().enumerate().map(line).collect::<Vec<_>>()
        };
        names.iter().zip(&self.entries).flat_map(line).collect()
    }
}

/// The places of each form, and all of them in an order in which those of every form stand as there.
fn columns(instruction: &Instruction) -> (Vec<Vec<Column>>, Vec<Column>) {
    let mut forms: Vec<Vec<Column>> = vec![];
    for form in instruction.forms {
        forms.push(vec![]);
        for mut place in places(form) {
            // What stands before another in some forms and after it in others is two places.
            while sorted(&forms, place).is_none() {
                place.number += 1;
            }
            forms.last_mut().expect("it was pushed").push(place);
        }
    }
    let all = sorted(&forms, Column::default()).expect("it was so with every place");
    (forms, all.into_iter().filter(|place| *place != Column::default()).collect())
}

/// The places of some forms in order, with one more at the end of the last; none where there is no such order.
fn sorted(forms: &[Vec<Column>], more: Column) -> Option<Vec<Column>> {
    let mut forms = forms.to_vec();
    let last = forms.last_mut()?;
    if last.contains(&more) {
        return None;
    }
    last.push(more);
    let mut rest: Vec<Column> = vec![];
    forms.iter().flatten().for_each(|place| {
        if !rest.contains(place) {
            rest.push(*place)
        }
    });
    let mut sorted = vec![];
    while !rest.is_empty() {
        let waits = |place: &Column| {
            let before = |form: &Vec<Column>| {
                let at = form.iter().position(|it| it == place).unwrap_or(0);
                form[..at].iter().any(|it| rest.contains(it))
            };
            forms.iter().any(before)
        };
        let next = rest.iter().position(|place| !waits(place))?;
        sorted.push(rest.remove(next));
    }
    Some(sorted)
}

/// The places of a form, each as the first of its name.
fn places(form: &Form) -> impl Iterator<Item = Column> {
    form.positions.iter().map(|position| Column {
        name: position.name,
        number: 0,
        is_shape: position.name == VECTOR || is_type(position.tokens),
    })
}

fn is_type(tokens: &[&Token]) -> bool {
    tokens.iter().any(|token| matches!(token.kind, TokenKind::Type(_)))
}

fn line(form: &'static Form, places: &[Column], columns: &[Column]) -> Line {
    let nothing: Vec<Choices> = columns.iter().map(|_| vec![None]).collect();
    let (mut choices, mut of_shape) = (nothing.clone(), nothing);
    for (place, position) in places.iter().zip(form.positions) {
        let at = columns.iter().position(|it| it == place).expect("a column was made for it");
        let absent = position.optional.then_some(None).into_iter();
        let here = absent.chain(position.tokens.iter().copied().map(Some)).collect();
        *(if place.is_shape { &mut of_shape[at] } else { &mut choices[at] }) = here;
    }
    let operands = form.operands.iter().map(|operand| (operand, None)).collect();
    Line { choices, shapes: vec![Shape { choices: of_shape, form }], operands, needs: form.needs, forms: vec![form] }
}

/// Replaces pairs that `both` makes one of until it makes one of no more; whether there were any.
fn merge<T>(all: &mut Vec<T>, both: impl Fn(&T, &T) -> Option<T>) -> bool {
    let count = all.len();
    let mut i = 0;
    while i < all.len() {
        let merged = (i + 1..all.len()).find_map(|j| Some((j, both(&all[i], &all[j])?)));
        match merged {
            Some((j, one)) => {
                all[i] = one;
                all.remove(j);
            }
            None => i += 1,
        }
    }
    all.len() < count
}

/// Two lines that differ in their shapes or at one column.
fn joined(a: &Line, b: &Line) -> Option<Line> {
    let operands_alike = a.operands.len() == b.operands.len()
        && a.operands.iter().zip(&b.operands).all(|(a, b)| is_like(a.0, b.0) && a.1 == b.1);
    if !operands_alike || !forms_alike(a, b) {
        return None;
    }
    let differing = differing(&a.choices, &b.choices);
    let shapes_alike =
        a.shapes.len() == b.shapes.len() && a.shapes.iter().all(|it| b.shapes.iter().any(|other| same_all(it, other)));
    let mut line = a.clone();
    match differing.as_slice() {
        [] if counts_follow_vector(a, b) => line.shapes.extend(b.shapes.iter().cloned()),
        [column] if shapes_alike => line.choices[*column] = union(&a.choices[*column], &b.choices[*column])?,
        _ => return None,
    }
    line.forms.extend(&b.forms);
    Some(line)
}

/// Two lines of which one has an operand more, and a modifier that comes with it.
fn with_operand(a: &Line, b: &Line) -> Option<Line> {
    let (less, more) = if a.operands.len() < b.operands.len() { (a, b) } else { (b, a) };
    if more.operands.len() != less.operands.len() + 1 || !forms_alike(a, b) {
        return None;
    }
    let [column] = differing(&a.choices, &b.choices)[..] else { return None };
    let fits = |without: usize| {
        let rest = more.operands.iter().enumerate().filter(|(i, _)| *i != without).map(|(_, operand)| operand);
        rest.zip(&less.operands).all(|(a, b)| is_like(a.0, b.0) && a.1 == b.1)
    };
    let extra = (0..more.operands.len()).rev().find(|it| fits(*it))?;
    let absent = |choices: &Choices| choices.iter().any(Option::is_none);
    let is_alone = less.choices[column].len() == 1 && absent(&less.choices[column]) && !absent(&more.choices[column]);
    let shapes_alike = less.shapes.len() == more.shapes.len()
        && less.shapes.iter().all(|it| more.shapes.iter().any(|other| same_choices(&it.choices, &other.choices)));
    if !is_alone || !shapes_alike {
        return None;
    }
    let mut line = more.clone();
    line.choices[column].insert(0, None);
    line.forms.extend(&less.forms);
    line.operands[extra].1 = Some(column);
    Some(line)
}

/// What is said of forms and not of tokens.
fn forms_alike(a: &Line, b: &Line) -> bool {
    let its = |line: &Line| (line.needs, line.forms[0].section, line.forms[0].semantics.is_some());
    its(a) == its(b)
}

/// Two shapes that differ in one column.
fn same_shape(a: &Shape, b: &Shape) -> Option<Shape> {
    let [column] = differing(&a.choices, &b.choices)[..] else { return None };
    if !same_registers(a.form, b.form) {
        return None;
    }
    let mut shape = a.clone();
    shape.choices[column] = union(&a.choices[column], &b.choices[column])?;
    Some(shape)
}

/// Two operands that are alike in all but what types say of them.
fn is_like(a: &Operand, b: &Operand) -> bool {
    let its = |it: &Operand| {
        (it.name, it.written, it.address, it.constant, it.negatable, it.joined, it.cache_policy, it.named)
    };
    its(a) == its(b)
}

/// Whether the operands of two forms are as many registers, of types that stand at the same place.
pub fn same_registers(a: &Form, b: &Form) -> bool {
    let its = |it: &Operand| (it.registers, type_text(it), it.sink, it.immediate, it.exact_width);
    a.operands.len() == b.operands.len() && a.operands.iter().zip(b.operands).all(|(a, b)| its(a) == its(b))
}

/// Where the type of an operand stands.
pub fn type_text(operand: &Operand) -> &'static str {
    match operand.r#type {
        OperandType::First => "1",
        OperandType::Second => "2",
        OperandType::Own(own) => own.token,
    }
}

/// One line shows several counts of registers where a vector length in the opcode says which.
fn counts_follow_vector(a: &Line, b: &Line) -> bool {
    let counts = |form: &Form| form.operands.iter().map(|operand| operand.registers).collect::<Vec<_>>();
    let agree = |a: &Shape, b: &Shape| vector(a.form) != vector(b.form) || counts(a.form) == counts(b.form);
    a.shapes.iter().all(|a| b.shapes.iter().all(|b| agree(a, b)))
}

/// The vector lengths that a form has.
fn vector(form: &Form) -> Option<Vec<&'static str>> {
    let position = form.positions.iter().find(|position| position.name == VECTOR)?;
    Some(position.tokens.iter().map(|token| token.text).collect())
}

fn differing(a: &[Choices], b: &[Choices]) -> Vec<usize> {
    (0..a.len()).filter(|i| !same(&a[*i], &b[*i])).collect()
}

fn same(a: &Choices, b: &Choices) -> bool {
    a.len() == b.len() && a.iter().all(|choice| b.iter().any(|other| is_same(*choice, *other)))
}

fn same_choices(a: &[Choices], b: &[Choices]) -> bool {
    differing(a, b).is_empty()
}

fn same_all(a: &Shape, b: &Shape) -> bool {
    same_choices(&a.choices, &b.choices) && same_registers(a.form, b.form)
}

fn is_same(a: Option<&'static Token>, b: Option<&'static Token>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => ptr::eq(a, b) || (a.text == b.text && a.needs == b.needs),
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// All choices of both; none where one text would stand for two things.
fn union(a: &Choices, b: &Choices) -> Option<Choices> {
    let mut all = a.clone();
    for choice in b {
        if all.iter().any(|known| is_same(*known, *choice)) {
            continue;
        }
        if all.iter().flatten().any(|known| choice.is_some_and(|choice| choice.text == known.text)) {
            return None;
        }
        if choice.is_none() { all.insert(0, None) } else { all.push(*choice) }
    }
    Some(all)
}

/// `.b32`, `.{b8, b16}`; nothing for nothing. Types are sorted by kind and width.
fn tokens(choices: &Choices) -> String {
    let mut present: Vec<&Token> = choices.iter().copied().flatten().collect();
    sort_types(&mut present);
    let texts: Vec<&str> = present.iter().map(|token| token.text).collect();
    let text = match texts.as_slice() {
        [] => return String::new(),
        [only] => format!(".{only}"),
        several => format!(".{{{}}}", several.join(", ")),
    };
    if present.len() < choices.len() { format!("{{{text}}}") } else { text }
}

/// Sorts types by kind, in the order in which kinds come first, and width; others stay.
pub fn sort_types(tokens: &mut [&Token]) {
    let mut kinds: Vec<(&str, &str)> = vec![];
    for token in tokens.iter() {
        let kind = kind(token.text);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    tokens.sort_by_key(|token| match token.kind {
        TokenKind::Type(its) => (kinds.iter().position(|known| *known == kind(token.text)), its.width),
        _ => (None, 0),
    });
}

/// `u` and `x2` of `u16x2`: what two types have alike that differ in their width alone.
fn kind(text: &str) -> (&str, &str) {
    let is_digit = |c: char| c.is_ascii_digit();
    let (letters, rest) = text.split_at(text.find(is_digit).unwrap_or(text.len()));
    (letters, rest.trim_start_matches(is_digit))
}

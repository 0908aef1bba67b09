//! The build script's reader of `.td` files: records in, Rust source out. The types it names are those of
//! instruction.rs.

use crate::element::Element;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use tblgen::{Record, RecordKeeper, TableGenParser};

/// `AXES`: the names of Tile_Axis in order; and a constant for each, in a module.
pub fn axes(td: &str, include: &Path) -> String {
    let keeper = parse(td, include);
    let axis = keeper.def("Tile_Axis").expect("tile.td has Tile_Axis");
    let names: Vec<&str> = defs(axis, "enumerants").map(|case| string(case, "str")).collect();
    let constants: String = names
        .iter()
        .enumerate()
        .map(|(number, name)| {
            format!("/// The axis `{name}`.\npub const {}: crate::layout::Axis = {number};\n", name.to_uppercase())
        })
        .collect();
    format!(
        "/// The names of the axes of a layout (R45), in the order of Tile_Axis.\npub const AXES: &[&str] = &{names:?};\n\
         /// The axes of a layout (R45): `m` counts elements, the others threads.\npub mod axes {{\n{constants}}}\n"
    )
}

/// `INSTRUCTIONS`: the records of `Ptx_Instruction`, in alphabetical order of the mnemonic. `SPECIAL_REGISTERS`, in
/// order of the ISA, `SYMBOL_KINDS`, `LACKING`, and `CHIPS`, whose order is that of the bits in a `Chips`.
pub fn instructions(td: &str, include: &Path) -> String {
    let keeper = parse(td, include);
    let mut records: Vec<Record> = keeper.all_derived_definitions("Ptx_Instruction").collect();
    records.sort_by_key(|record| string(*record, "opName"));
    let tokens: Vec<Record> = keeper.all_derived_definitions("Ptx_Token").collect();
    let table =
        Table { chips: tokens.iter().copied().chain(keeper.all_derived_definitions("Form")).flat_map(chips).collect() };
    let mut registers: Vec<Record> = keeper.all_derived_definitions("Ptx_SpecialRegister").collect();
    registers.sort_by_key(|record| (numbers(string(*record, "section")), numbers(string(*record, "name"))));
    let kinds = keeper.all_derived_definitions("Ptx_SymbolKind");
    let statics: String = tokens.iter().map(|record| table.token(*record)).collect();
    format!(
        "{statics}/// Every instruction, by mnemonic.\npub static INSTRUCTIONS: &[Instruction] = {};\n\
         /// Every special register.\npub static SPECIAL_REGISTERS: &[SpecialRegister] = {};\n\
         /// Every kind of symbol whose address is taken.\npub static SYMBOL_KINDS: &[SymbolKind] = {};\n\
         /// The mnemonics of PTX that have no record.\npub static LACKING: &[&str] = &{:?};\n\
         /// The chips that some records name, and no others.\npub static CHIPS: &[&str] = &{:?};\n",
        list(records.into_iter(), |record| table.instruction(record)),
        list(registers.into_iter(), |record| table.special_register(record)),
        list(kinds, |record| table.symbol_kind(record)),
        keeper.all_derived_definitions("Ptx_Lacking").flat_map(lacking).collect::<Vec<_>>(),
        table.chips.iter().collect::<Vec<_>>(),
    )
}

/// The numbers in a text: `10.25` comes after `10.3`, `pm10` after `pm9`.
fn numbers(text: &str) -> Vec<u32> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// What the source of one record takes from others.
struct Table<'a> {
    chips: BTreeSet<&'a str>,
}

impl Table<'_> {
    fn instruction(&self, record: Record) -> String {
        format!(
            "\nInstruction {{ mnemonic: {:?}, summary: {:?}, description: {:?}, forms: {}, reads_memory: {}, \
             writes_memory: {}, convergent: {}, collective: {}, ordering: &{:?}, refused: {} }}",
            string(record, "opName"),
            string(record, "summary"),
            string(record, "description"),
            list(defs(record, "forms"), |form| self.form(form, string(record, "semantics"))),
            bit(record, "readsMemory"),
            bit(record, "writesMemory"),
            bit(record, "isConvergent") || bit(record, "isCollective"),
            bit(record, "isCollective"),
            ordering(record).iter().collect::<Vec<_>>(),
            list(defs(record, "refused"), refused),
        )
    }

    fn special_register(&self, record: Record) -> String {
        format!(
            "SpecialRegister {{ name: {:?}, section: {:?}, summary: {:?}, types: {}, vector: {}, varies: {}, needs: {} }}",
            string(record, "name"),
            string(record, "section"),
            string(record, "summary"),
            list(defs(record, "types"), type_reference),
            bit(record, "isVector"),
            bit(record, "varies"),
            self.needs(record),
        )
    }

    fn symbol_kind(&self, record: Record) -> String {
        format!(
            "SymbolKind {{ summary: {:?}, types: {}, space: {:?}, kernel: {}, needs: {} }}",
            string(record, "summary"),
            list(defs(record, "types"), type_reference),
            defs(record, "spaces").next().map(|space| int(space, "addressSpace")),
            bit(record, "isKernel"),
            self.needs(record),
        )
    }

    fn form(&self, record: Record, semantics_of_instruction: &str) -> String {
        let own = string(record, "semantics");
        format!(
            "\nForm {{ summary: {:?}, section: {:?}, positions: {}, operands: {}, needs: {}, semantics: {} }}",
            string(record, "summary"),
            string(record, "section"),
            list(defs(record, "positions"), position),
            list(defs(record, "operands"), operand),
            self.needs(record),
            semantics(if own.is_empty() { semantics_of_instruction } else { own }),
        )
    }

    /// A token is one static, which every position that lists it refers to; so is a type.
    fn token(&self, record: Record) -> String {
        let mut text = String::new();
        let kind = if record.subclass_of("Ptx_Type") {
            writeln!(text, "static {}: PtxType = {};", static_name("TYPE", record), ptx_type(record))
                .expect("a String takes all");
            format!("TokenKind::Type({})", type_reference(record))
        } else if record.subclass_of("Ptx_StateSpace") {
            format!("TokenKind::StateSpace({})", int(record, "addressSpace"))
        } else {
            "TokenKind::Modifier".into()
        };
        writeln!(
            text,
            "static {}: Token = Token {{ text: {:?}, summary: {:?}, kind: {kind}, ordered: {}, needs: {} }};",
            static_name("TOKEN", record),
            string(record, "token"),
            string(record, "summary"),
            bit(record, "ordered"),
            self.needs(record)
        )
        .expect("a String takes all");
        text
    }

    fn needs(&self, record: Record) -> String {
        let bit_of = |chip| 1u64 << self.chips.iter().position(|known| *known == chip).expect("it was collected");
        let chips = chips(record).into_iter().map(bit_of).reduce(|all, bit| all | bit);
        let chips = chips.map_or("Chips::ANY".into(), |bits| format!("Chips::of({bits:#x})"));
        format!("Needs {{ ptx: {}, sm: {}, chips: {chips} }}", int(record, "ptx"), int(record, "sm"))
    }
}

/// The mnemonics of PTX that a list has, each without a record of its own.
fn lacking<'a>(record: Record<'a>) -> Vec<&'a str> {
    record.list_of_strings_value("mnemonics").expect("a list of mnemonics")
}

/// The chips that alone have what a record says; most records name none.
fn chips<'a>(record: Record<'a>) -> Vec<&'a str> {
    record.list_of_strings_value("chips").into_iter().flatten().collect()
}

/// A primitive of semantics.rs: one that is not there does not compile.
fn semantics(name: &str) -> String {
    match name {
        "" | "none" => "None".into(),
        name => format!("Some(semantics::{name})"),
    }
}

/// The tokens of an instruction that are ordered.
fn ordering<'a>(record: Record<'a>) -> BTreeSet<&'a str> {
    let positions = defs(record, "forms").flat_map(|form| defs(form, "positions"));
    let tokens = positions.flat_map(|position| defs(position, "tokens"));
    tokens.filter(|token| bit(*token, "ordered")).map(|token| string(token, "token")).collect()
}

fn refused(record: Record) -> String {
    format!(
        "Refused {{ opcode: {:?}, operands: {:?}, reason: {:?} }}",
        string(record, "opcode"),
        string(record, "operands"),
        string(record, "reason")
    )
}

fn position(record: Record) -> String {
    let reference = |token| format!("&{}", static_name("TOKEN", token));
    format!(
        "Position {{ name: {:?}, optional: {}, tokens: {} }}",
        string(record, "name"),
        bit(record, "optional"),
        list(defs(record, "tokens"), reference),
    )
}

fn operand(record: Record) -> String {
    let its = record.def_value("type").expect("an operand has a type");
    let its = match its.name() {
        Ok("OpcodeType") => "OperandType::First".into(),
        Ok("SecondType") => "OperandType::Second".into(),
        _ => format!("OperandType::Own({})", type_reference(its)),
    };
    let named = match (bit(record, "isSpecialRegister"), bit(record, "isSymbol")) {
        (true, _) => "Some(Named::SpecialRegister)",
        (_, true) => "Some(Named::Symbol)",
        _ => "None",
    };
    let bounds = match bit(record, "bounded") {
        true => format!("Some(({}, {}))", int(record, "least"), int(record, "most")),
        false => "None".into(),
    };
    format!(
        "Operand {{ name: {:?}, registers: {}, r#type: {its}, written: {}, address: {}, sink: {}, immediate: {}, \
         bounds: {bounds}, constant: {}, negatable: {}, exact_width: {}, joined: {}, cache_policy: {}, named: {named} }}",
        string(record, "name"),
        int(record, "registers"),
        bit(record, "written"),
        bit(record, "address"),
        bit(record, "sink"),
        bit(record, "immediate"),
        bit(record, "constant"),
        bit(record, "negatable"),
        bit(record, "exactWidth"),
        bit(record, "joined"),
        bit(record, "isCachePolicy"),
    )
}

fn ptx_type(record: Record) -> String {
    let mut types = String::new();
    for text in record.list_of_strings_value("types").expect("a type lists MLIR types") {
        let element: Element = text.parse().unwrap_or_else(|why| panic!("{}: {why}", string(record, "token")));
        write!(types, "{element:?}, ").expect("a String takes all");
    }
    let conversions = match (string(record, "narrow"), string(record, "widen")) {
        ("", "") => "None".into(),
        (narrow, widen) => format!("Some(Conversions {{ narrow: {narrow:?}, widen: {widen:?} }})"),
    };
    format!(
        "PtxType {{ token: {:?}, width: {}, float: {}, types: &[{types}], maybe_wider: {}, container: {:?}, \
         conversions: {conversions} }}",
        string(record, "token"),
        int(record, "width"),
        bit(record, "isFloat"),
        bit(record, "maybeWider"),
        string(record, "container"),
    )
}

fn type_reference(record: Record) -> String {
    format!("&{}", static_name("TYPE", record))
}

/// `TYPE_b32`
fn static_name(kind: &str, record: Record) -> String {
    format!("{kind}_{}", record.name().expect("a record has a name"))
}

fn parse(td: &str, include: &Path) -> RecordKeeper<'static> {
    let include = include.to_str().expect("LLVM's prefix is UTF-8");
    TableGenParser::new()
        .add_source_file(td)
        .add_include_directory(".")
        .add_include_directory(include)
        .parse()
        .unwrap_or_else(|why| panic!("{td}: {why}"))
}

fn list<'a>(records: impl Iterator<Item = Record<'a>>, each: impl Fn(Record<'a>) -> String) -> String {
    format!("&[{}]", records.map(each).collect::<Vec<_>>().join(", "))
}

fn defs<'a>(record: Record<'a>, field: &str) -> impl Iterator<Item = Record<'a>> {
    record.list_of_defs_value(field).unwrap_or_else(|why| panic!("{field}: {why}")).into_iter()
}

fn string<'a>(record: Record<'a>, field: &str) -> &'a str {
    record.str_value(field).unwrap_or_else(|why| panic!("{field}: {why}"))
}

fn int(record: Record, field: &str) -> i64 {
    record.int_value(field).unwrap_or_else(|why| panic!("{field}: {why}"))
}

fn bit(record: Record, field: &str) -> bool {
    record.bit_value(field).unwrap_or_else(|why| panic!("{field}: {why}"))
}

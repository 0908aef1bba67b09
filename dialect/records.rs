//! The build script's reader of `.td` files: records in, Rust source out. The types it names are those of instruction.rs.

use crate::element::Element;
use std::fmt::Write;
use std::path::Path;
use tblgen::{Record, RecordKeeper, TableGenParser};

/// `AXES`: the names of Tile_Axis in order.
pub fn axes(td: &str, include: &Path) -> String {
    let keeper = parse(td, include);
    let axis = keeper.def("Tile_Axis").expect("tile.td has Tile_Axis");
    let names: Vec<&str> = defs(axis, "enumerants").map(|case| string(case, "str")).collect();
    format!(
        "/// The names of the axes of a layout (R45), in the order of Tile_Axis.\npub const AXES: &[&str] = &{names:?};\n"
    )
}

/// `INSTRUCTIONS`: the records of `Ptx_Instruction`, in alphabetical order of the mnemonic. `SPECIAL_REGISTERS`, in order of
/// the ISA, and `SYMBOL_KINDS`.
pub fn instructions(td: &str, include: &Path) -> String {
    let keeper = parse(td, include);
    let mut records: Vec<Record> = keeper.all_derived_definitions("Ptx_Instruction").collect();
    records.sort_by_key(|record| string(*record, "opName"));
    let all = list(records.iter().copied(), |record| {
        format!(
            "Instruction {{ mnemonic: {:?}, forms: {}, reads_memory: {}, writes_memory: {}, convergent: {}, \
             semantics: {} }}",
            string(record, "opName"),
            list(defs(record, "forms"), form),
            bit(record, "readsMemory"),
            bit(record, "writesMemory"),
            bit(record, "isConvergent"),
            semantics(record),
        )
    });
    let mut registers: Vec<Record> = keeper.all_derived_definitions("Ptx_SpecialRegister").collect();
    registers.sort_by_key(|record| (numbers(string(*record, "section")), numbers(string(*record, "name"))));
    let registers = list(registers.into_iter(), special_register);
    let kinds = list(keeper.all_derived_definitions("Ptx_SymbolKind"), symbol_kind);
    format!(
        "/// Every instruction, by mnemonic.\npub static INSTRUCTIONS: &[Instruction] = {all};\n\
         /// Every special register.\npub static SPECIAL_REGISTERS: &[SpecialRegister] = {registers};\n\
         /// Every kind of symbol whose address is taken.\npub static SYMBOL_KINDS: &[SymbolKind] = {kinds};\n"
    )
}

/// The numbers in a text: `10.25` comes after `10.3`, `pm10` after `pm9`.
fn numbers(text: &str) -> Vec<u32> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

fn special_register(record: Record) -> String {
    format!(
        "SpecialRegister {{ name: {:?}, section: {:?}, summary: {:?}, types: {}, vector: {}, varies: {}, needs: {} }}",
        string(record, "name"),
        string(record, "section"),
        string(record, "summary"),
        list(defs(record, "types"), ptx_type),
        bit(record, "isVector"),
        bit(record, "varies"),
        needs(record),
    )
}

fn symbol_kind(record: Record) -> String {
    format!(
        "SymbolKind {{ summary: {:?}, types: {}, space: {:?}, kernel: {}, needs: {} }}",
        string(record, "summary"),
        list(defs(record, "types"), ptx_type),
        defs(record, "spaces").next().map(|space| int(space, "addressSpace")),
        bit(record, "isKernel"),
        needs(record),
    )
}

/// A primitive of semantics.rs: one that is not there does not compile.
fn semantics(record: Record) -> String {
    match string(record, "semantics") {
        "" => "None".into(),
        name => format!("Some(semantics::{name})"),
    }
}

fn form(record: Record) -> String {
    format!(
        "Form {{ summary: {:?}, section: {:?}, positions: {}, operands: {}, needs: {} }}",
        string(record, "summary"),
        string(record, "section"),
        list(defs(record, "positions"), position),
        list(defs(record, "operands"), operand),
        needs(record),
    )
}

fn position(record: Record) -> String {
    format!(
        "Position {{ name: {:?}, optional: {}, tokens: {} }}",
        string(record, "name"),
        bit(record, "optional"),
        list(defs(record, "tokens"), token),
    )
}

fn token(record: Record) -> String {
    let kind = if record.subclass_of("Ptx_Type") {
        format!("TokenKind::Type({})", ptx_type(record))
    } else if record.subclass_of("Ptx_StateSpace") {
        format!("TokenKind::StateSpace({})", int(record, "addressSpace"))
    } else {
        "TokenKind::Modifier".into()
    };
    format!("Token {{ text: {:?}, kind: {kind}, needs: {} }}", string(record, "token"), needs(record))
}

fn operand(record: Record) -> String {
    let own = record.def_value("type").expect("an operand has a type");
    let own = if own.name() == Ok("OpcodeType") { "None".into() } else { format!("Some({})", ptx_type(own)) };
    let named = match (bit(record, "isSpecialRegister"), bit(record, "isSymbol")) {
        (true, _) => "Some(Named::SpecialRegister)",
        (_, true) => "Some(Named::Symbol)",
        _ => "None",
    };
    format!(
        "Operand {{ name: {:?}, registers: {}, own_type: {own}, written: {}, address: {}, sink: {}, immediate: {}, \
         negatable: {}, exact_width: {}, named: {named} }}",
        string(record, "name"),
        int(record, "registers"),
        bit(record, "written"),
        bit(record, "address"),
        bit(record, "sink"),
        bit(record, "immediate"),
        bit(record, "negatable"),
        bit(record, "exactWidth"),
    )
}

fn ptx_type(record: Record) -> String {
    let mut types = String::new();
    for text in record.list_of_strings_value("types").expect("a type lists MLIR types") {
        let element: Element = text.parse().unwrap_or_else(|why| panic!("{}: {why}", string(record, "token")));
        write!(types, "{element:?}, ").expect("a String takes all");
    }
    let (token, width, float) = (string(record, "token"), int(record, "width"), bit(record, "isFloat"));
    let conversions = match (string(record, "narrow"), string(record, "widen")) {
        ("", "") => "None".into(),
        (narrow, widen) => format!("Some(Conversions {{ narrow: {narrow:?}, widen: {widen:?} }})"),
    };
    format!(
        "&PtxType {{ token: {token:?}, width: {width}, float: {float}, types: &[{types}], conversions: {conversions} }}"
    )
}

fn needs(record: Record) -> String {
    format!("Needs {{ ptx: {}, sm: {} }}", int(record, "ptx"), int(record, "sm"))
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

//! A builder of `ptx` ops: one instruction of one thread on SSA values.
//!
//! What an op says is checked when the module is verified, by issue.rs, and not here.

use crate::tile::with_segments;
use melior::Context;
use melior::ir::attribute::{DenseI64ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute, StringAttribute};
use melior::ir::r#type::IntegerType;
use melior::ir::{Attribute, Location, Operation, Type, Value};

/// What else an instruction says than its opcode, inputs and results; nothing by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clauses<'c, 'a> {
    /// It is executed where this i1 is true; otherwise its results are undefined, or the old values.
    pub pred: Option<Value<'c, 'a>>,
    /// Or where it is false.
    pub negated: bool,
    /// The results where it is not executed, one for each.
    pub preserve: &'a [Value<'c, 'a>],
    /// Results that are discarded, of those that PTX can discard (R94).
    pub sink: &'a [i64],
    /// The last input is negated.
    pub inverted: bool,
    /// The special register that is read: `tid.x`.
    pub special: Option<&'a str>,
    /// The variable or function whose address is taken.
    pub symbol: Option<&'a str>,
    /// Bytes that are added to an address.
    pub offset: Option<i64>,
}

/// An instruction by its opcode, `add.s32`: the op is that of its mnemonic, `ptx.add`.
///
/// ```
/// # use ptx_tile_dialect::ptx;
/// # use melior::{Context, dialect::DialectRegistry, ir::{Location, Type, operation::OperationLike, r#type::IntegerType}};
/// # let registry = DialectRegistry::new();
/// # ptx_tile_dialect::register(&registry);
/// # let context = Context::new();
/// # context.append_dialect_registry(&registry);
/// # context.load_all_available_dialects();
/// # let location = Location::unknown(&context);
/// let i32 = IntegerType::new(&context, 32).into();
/// let clauses = ptx::Clauses { special: Some("tid.x"), ..Default::default() };
/// let thread = ptx::issue(&context, "mov.u32", &[], &[i32], clauses, location);
/// assert_eq!(thread.to_string().trim(), "%0 = ptx.mov \"u32\" special \"tid.x\" : () -> i32");
/// assert!(thread.verify());
/// ```
pub fn issue<'c>(
    context: &'c Context,
    opcode: &str,
    inputs: &[Value<'c, '_>],
    results: &[Type<'c>],
    clauses: Clauses<'c, '_>,
    location: Location<'c>,
) -> Operation<'c> {
    let Clauses { pred, negated, preserve, sink, inverted, special, symbol, offset } = clauses;
    let (mnemonic, modifiers) = opcode.split_once('.').unwrap_or((opcode, ""));
    let unit = |is_there: bool| is_there.then(|| Attribute::unit(context));
    let text = |text: &str| StringAttribute::new(context, text).into();
    let attributes = [
        ("modifiers", Some(text(modifiers))),
        ("special", special.map(text)),
        ("symbol", symbol.map(|symbol| FlatSymbolRefAttribute::new(context, symbol).into())),
        ("offset", offset.map(|offset| IntegerAttribute::new(IntegerType::new(context, 64).into(), offset).into())),
        ("negated", unit(negated)),
        ("sink", (!sink.is_empty()).then(|| DenseI64ArrayAttribute::new(context, sink).into())),
        ("inverted", unit(inverted)),
    ];
    let groups: [Vec<Value<'c, '_>>; 3] = [inputs.to_vec(), pred.into_iter().collect(), preserve.to_vec()];
    with_segments(context, &format!("ptx.{mnemonic}"), &attributes, &groups, results, location)
}

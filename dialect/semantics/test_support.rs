//! Instructions for the tests of primitives, which need not be in the records.

use super::{Executed, Semantics, Word};
use crate::instruction::{Form, Instruction, Needs, Operand, OperandType, PtxType, Token, TokenKind, Variant, lookup};
use proptest::prelude::*;

/// A primitive with an instruction that has it.
pub struct Op {
    primitive: Semantics,
    variant: Variant,
    read: Vec<u32>,
    written: Vec<u32>,
}

fn leaked<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// A type by its name: as many bits as the numbers in it say.
fn type_named(token: &'static str) -> &'static PtxType {
    let (scalar, count) = token.rsplit_once('x').unwrap_or((token, "1"));
    let width = match scalar {
        "pred" => 1,
        "tf32" => 32,
        "e4m3" | "e5m2" | "e2m3" | "e3m2" | "ue8m0" => 8,
        "e2m1" => 4,
        _ => scalar.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap(),
    };
    let width = width * count.parse::<u32>().unwrap();
    leaked(PtxType { token, width, float: false, types: &[], maybe_wider: true, container: token, conversions: None })
}

impl Op {
    /// A primitive with these modifiers, which writes registers of these types and reads some of those.
    pub fn new(primitive: Semantics, modifiers: &'static str, written: &[&'static str], read: &[&'static str]) -> Op {
        let types = |names: &[&'static str]| names.iter().map(|name| type_named(name)).collect::<Vec<_>>();
        let (written, read) = (types(written), types(read));
        let mov = lookup("mov").unwrap();
        let operand = |its: &&'static PtxType, written| Operand {
            name: "",
            registers: 1,
            r#type: OperandType::Own(its),
            written,
            address: false,
            sink: false,
            immediate: false,
            bounds: None,
            constant: false,
            negatable: false,
            exact_width: false,
            joined: false,
            cache_policy: false,
            named: None,
        };
        let operands: Vec<Operand> =
            written.iter().map(|its| operand(its, true)).chain(read.iter().map(|its| operand(its, false))).collect();
        let form: &'static Form = leaked(Form {
            summary: "",
            section: "",
            positions: &[],
            operands: operands.leak(),
            needs: Needs::NOTHING,
            semantics: Some(primitive),
        });
        let instruction: &'static Instruction =
            leaked(Instruction { mnemonic: "op", forms: &[], refused: &[], ..*mov });
        let tokens = modifiers.split('.').filter(|text| !text.is_empty()).map(|text| {
            // The type that cvt.pack packs stands in no operand.
            let kind = match text {
                "s8" | "u8" | "s4" | "u4" | "s2" | "u2" | "s16" | "u16" => TokenKind::Type(type_named(text)),
                _ => TokenKind::Modifier,
            };
            let token: &'static Token =
                leaked(Token { text, summary: "", kind, ordered: false, needs: Needs::NOTHING });
            Some(token)
        });
        let variant = Variant { instruction, form, tokens: tokens.collect() };
        let widths = |types: &[&PtxType]| types.iter().map(|its| its.width).collect();
        Op { primitive, variant, read: widths(&read), written: widths(&written) }
    }

    /// With results in registers of this width.
    pub fn into(self, width: u32) -> Op {
        Op { written: vec![width], ..self }
    }

    /// With sources in registers of this width.
    pub fn from(self, width: u32) -> Op {
        Op { read: vec![width], ..self }
    }

    /// What it makes of these words.
    pub fn on_words(&self, words: &[Word]) -> Vec<Word> {
        let sources: Vec<Vec<Word>> = words.iter().map(|word| vec![*word]).collect();
        let results: Vec<Vec<u32>> = self.written.iter().map(|width| vec![*width]).collect();
        let executed = Executed { variant: &self.variant, sources: &sources, results: &results };
        (self.primitive)(&executed).unwrap().into_iter().map(|words| words[0]).collect()
    }

    /// What it makes of these bits.
    pub fn on(&self, bits: &[u128]) -> Vec<Word> {
        let words: Vec<Word> = bits.iter().zip(&self.read).map(|(bits, width)| Word::new(*width, *bits)).collect();
        assert_eq!(words.len(), self.read.len());
        self.on_words(&words)
    }

    /// The one result for these bits, where it is known.
    pub fn of(&self, bits: &[u128]) -> Option<u128> {
        self.on(bits)[0].known()
    }

    /// Why it fails on these bits.
    pub fn error(&self, bits: &[u128]) -> String {
        let sources: Vec<Vec<Word>> =
            bits.iter().zip(&self.read).map(|(bits, width)| vec![Word::new(*width, *bits)]).collect();
        let results: Vec<Vec<u32>> = self.written.iter().map(|width| vec![*width]).collect();
        let executed = Executed { variant: &self.variant, sources: &sources, results: &results };
        (self.primitive)(&executed).unwrap_err().to_string()
    }
}

/// Words of which any bits are undefined, with two ways to complete them.
pub fn partial_words(widths: Vec<u32>) -> impl Strategy<Value = (Vec<Word>, Vec<Word>)> {
    let word = |width: u32| {
        let bits = prop_oneof![any::<u128>(), 0..80u128];
        let mostly = prop_oneof![Just(u128::MAX), (0..128u32).prop_map(|bit| !(1 << bit)), any::<u128>()];
        (bits, mostly, any::<u128>()).prop_map(move |(bits, defined, rest)| {
            (Word::partial(width, bits, defined), Word::new(width, bits & defined | rest & !defined))
        })
    };
    widths.into_iter().map(word).collect::<Vec<_>>().prop_map(|pairs| pairs.into_iter().unzip())
}

impl Op {
    /// Whether the bits that are defined are those that the words have, however they are completed.
    pub fn is_sound(&self, words: &[Word], completed: &[Word]) -> bool {
        let same = |(partial, whole): (&Word, &Word)| {
            partial.defined & !whole.defined == 0 && partial.bits == whole.bits & partial.defined
        };
        self.on_words(words).iter().zip(&self.on_words(completed)).all(same)
    }
}

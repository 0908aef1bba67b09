//! What LLVM's PTX text has in it: the instructions of each function, and which of them asm statements named.

use std::collections::BTreeMap;

/// What LLVM prints before an asm statement.
pub const BEGIN_ASM: &str = "// begin inline asm";
/// And behind it.
pub const END_ASM: &str = "// end inline asm";

/// A function with a body.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Function<'t> {
    /// As PTX spells it.
    pub name: &'t str,
    /// The instructions in asm statements, by opcode.
    pub named: BTreeMap<&'t str, u64>,
    /// The other ones, by mnemonic.
    pub added: BTreeMap<&'t str, u64>,
    /// Of local memory.
    pub local_bytes: u64,
}

/// The functions in a text with the marks of asm statements.
pub fn functions(text: &str) -> Vec<Function<'_>> {
    let (mut all, mut name, mut body, mut in_asm) = (vec![], "", None, false);
    let mut goes_on = false;
    for line in text.lines() {
        match (line.trim(), &mut body) {
            (BEGIN_ASM, _) => in_asm = true,
            (END_ASM, _) => in_asm = false,
            // Bodies and what is around them begin at the margin, blocks inside do not.
            (_, None) if line == "{" => body = Some(Function { name, ..Function::default() }),
            (_, Some(_)) if line == "}" => all.extend(body.take()),
            (_, None) => name = declared(line).unwrap_or(name),
            (_, Some(its)) => {
                let code = code_of(line);
                // Without a semicolon, and whole.
                if [".loc", ".file"].iter().any(|directive| code.split_whitespace().next() == Some(directive)) {
                    continue;
                }
                // An mma has a line for each of its operands.
                let begun = statements(code).skip(usize::from(goes_on));
                begun.for_each(|statement| note(its, statement, in_asm));
                goes_on = if code.is_empty() { goes_on } else { !code.ends_with([';', '{', '}', ':']) };
            }
        }
    }
    all
}

/// A text without the comment lines that LLVM puts around each asm statement: here these are the program.
pub fn without_marks(text: &str) -> String {
    let is_mark = |line: &&str| matches!(line.trim(), BEGIN_ASM | END_ASM);
    text.split_inclusive('\n').filter(|line| !is_mark(line)).collect()
}

/// A line up to its comment, and behind one that it begins with.
fn code_of(line: &str) -> &str {
    let line = line.split("//").next().unwrap_or_default().trim();
    match line.split_once("/*") {
        Some(("", rest)) => rest.split_once("*/").map_or("", |(_, code)| code_of(code)),
        Some((code, _)) => code.trim(),
        None => line,
    }
}

/// The function that a line begins to declare: `.visible .entry k(` or `.func  (.param .b32 func_retval0) f(`.
fn declared(line: &str) -> Option<&str> {
    let rest = [".entry ", ".func "].iter().find_map(|word| line.split_once(word))?.1.trim_start();
    let rest = if rest.starts_with('(') { rest.split_once(')')?.1.trim_start() } else { rest };
    rest.split(['(', ' ', '\t']).next()
}

/// The statements of a line, the end of an earlier one first where it goes on from there.
fn statements(code: &str) -> impl Iterator<Item = &str> {
    code.split(';').map(|statement| statement.trim_start_matches(['{', '}', ' ', '\t']).trim_end())
}

fn note<'t>(its: &mut Function<'t>, statement: &'t str, in_asm: bool) {
    let mut words = statement.split_whitespace().skip_while(|word| word.starts_with('@') || word.ends_with(':'));
    let word = words.next().unwrap_or_default();
    if word == ".local" {
        // .local .align 4 .b8 name[16]
        let size = statement.rsplit_once('[').and_then(|(_, size)| size.strip_suffix(']')?.parse::<u64>().ok());
        its.local_bytes += size.unwrap_or_default();
    }
    let mnemonic = word.split('.').next().unwrap_or_default();
    // Directives begin with a dot; the type of an indirect call has a name in front of its own.
    if mnemonic.is_empty() || statement.contains(" .callprototype ") {
        return;
    }
    let count = if in_asm { its.named.entry(word) } else { its.added.entry(mnemonic) };
    *count.or_insert(0) += 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
.version 7.8
.visible .func  (.param .b32 func_retval0) helper(
\t.param .b32 helper_param_0
)
{
\t.reg .b32 \t%r<3>;

\tld.param.b32 \t%r1, [helper_param_0]; // a comment; of two parts
\tret;

}
.extern .func outside
()
;
\t// .globl\tk
.visible .entry k(
\t.param .u64 k_param_0
)
.reqntid 32, 1, 1
{
\t.local .align 16 .b8 \t__local_depot1[16];
\t{ // callseq 0, 0
\t.param .b32 \tparam0;
\tcall.uni (retval0), helper, (param0);
\tprototype_0 : .callprototype ()_ (.param .b32 _);
\t} // callseq 0
\t@%p2 bra \t$L__BB1_2;
\t// begin inline asm
\t/* one; two; */ mov.b32 %r3, %r4;
\t.loc 1 2 3
\t// end inline asm
\t.loc\t1 15 5
\t// begin inline asm
\t{ .reg .b32 t; mov.b32 t, 1; @!p mov.b32 %r5, t; }
\t// end inline asm
$L__BB1_2:
\tmma.sync.aligned.m16n8k16
\t\t{%r1, %r2},
\t\t{%r5, %r6};
\tmov.b32 %r3, %r4;
\tret;

}
";

    #[test]
    fn instructions_are_counted_by_who_asked_for_them() {
        let one = |mnemonics: &[&'static str]| mnemonics.iter().map(|mnemonic| (*mnemonic, 1)).collect();
        let helper = Function { name: "helper", added: one(&["ld", "ret"]), ..Function::default() };
        let added = one(&["bra", "call", "mma", "mov", "ret"]);
        let named = BTreeMap::from([("mov.b32", 3)]);
        assert_eq!(functions(TEXT), [helper, Function { name: "k", named, added, local_bytes: 16 }]);
        assert_eq!(functions(""), []);
    }
}

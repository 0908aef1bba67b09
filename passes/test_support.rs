//! What unit tests of the passes share.

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;

/// A context with every dialect.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    melior::utility::register_all_dialects(&registry);
    crate::register_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

/// A module that is legal.
pub fn parse<'c>(context: &'c Context, program: &str) -> Module<'c> {
    Module::parse(context, program).unwrap_or_else(|| panic!("not legal: {program}"))
}

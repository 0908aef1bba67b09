//! What an outsider with melior writes first: reads a module, runs passes by name, prints what comes out.

use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use melior::{Context, dialect::DialectRegistry, ir::operation::OperationLike};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let registry = DialectRegistry::new();
    ptx_tile_passes::register(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);

    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(pipeline)) = (arguments.next(), arguments.next()) else {
        return Err("usage: compile FILE PIPELINE".into());
    };
    let mut module = Module::parse(&context, &std::fs::read_to_string(file)?).ok_or("the file does not parse")?;
    let manager = PassManager::new(&context);
    parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline)?;
    manager.run(&mut module)?;
    println!("{}", module.as_operation());
    Ok(())
}

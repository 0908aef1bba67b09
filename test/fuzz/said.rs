//! What every message is, whatever it is about (design: one line, lower case, no full stop).

/// The longest message that a person reads: those that list all that there is to choose from.
const MOST: usize = 4000;

/// Why a text is no message.
pub fn check(text: &str) -> Result<(), String> {
    let wrong = if text.trim().is_empty() {
        "is empty"
    } else if text.contains(|c: char| c.is_control()) {
        "has more than a line"
    } else if text.starts_with(char::is_uppercase) {
        "begins with a capital letter"
    } else if text.ends_with('.') {
        "ends with a full stop"
    } else if text.len() > MOST {
        "is too long"
    } else {
        return Ok(());
    };
    Err(format!("a message {wrong}: {text:?}"))
}

/// A property that must hold.
macro_rules! holds {
    ($property:expr, $($what:tt)+) => {
        if !$property {
            return Err(format!($($what)+));
        }
    };
}
pub(crate) use holds;

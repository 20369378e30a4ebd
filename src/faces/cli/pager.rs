//! Long texts in a terminal go through the user's pager.

use std::io::{IsTerminal as _, Write as _};
use std::process::{Command, Stdio};

use terminal_size::{Height, terminal_size_of};

/// Shows a text that is longer than the terminal in `$PAGER`, or else in less; false where that cannot be done.
pub fn paged(text: &[u8]) -> bool {
    let stdout = std::io::stdout();
    let lines = text.iter().filter(|&&byte| byte == b'\n').count();
    let is_long = |(_, Height(height))| lines >= usize::from(height);
    if !stdout.is_terminal() || !terminal_size_of(&stdout).is_some_and(is_long) {
        return false;
    }
    // One that is set to nothing is none.
    let pager = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let mut words = pager.split_whitespace();
    let Some(program) = words.next() else { return false };
    let mut command = Command::new(program);
    if std::env::var_os("LESS").is_none() {
        // Colours are shown.
        command.env("LESS", "R");
    }
    let Ok(mut child) = command.args(words).stdin(Stdio::piped()).spawn() else { return false };
    // The pager may be left before it has read all.
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(text);
    }
    child.wait().is_ok_and(|status| status.success())
}

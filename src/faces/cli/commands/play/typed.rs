//! Where lines come from: a pipe, or a terminal with a line editor, which remembers what was typed.

use std::io::Write as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use anyhow::Context as _;
use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor};

use crate::faces::protocol::{Input, Lines};
use crate::othello::search::Stop;

/// While a line is waited for, it is looked this often whether the program is to end.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What was typed.
pub(super) enum Typed {
    Line(String),
    /// Ctrl-C instead of a line.
    Interrupt,
    /// There is no more.
    End,
}

pub(super) enum Source {
    /// Lines as they are, with prompts or without.
    Plain(Lines, bool),
    Editor(Editor),
}

impl Source {
    /// The next line, for which `prompt` asks in a terminal; none where `stop` is raised before there is one.
    pub(super) fn next(&self, prompt: &str, stop: &Stop) -> Option<Typed> {
        match self {
            // A thread that is gone is heard of below.
            Self::Editor(editor) => drop(editor.asks.send(prompt.to_owned())),
            Self::Plain(_, true) => {
                let mut stdout = std::io::stdout();
                // Where there is no reader, the next line of output says so.
                let _ = write!(stdout, "{prompt}").and_then(|()| stdout.flush());
            }
            Self::Plain(_, false) => {}
        }
        while !stop.is_stopped() {
            let typed = match self {
                Self::Plain(lines, _) => lines.recv_timeout(LOOK_EVERY).map(|input| match input {
                    Input::Line(line) => Typed::Line(line),
                    Input::TooLong => Typed::Line(String::new()),
                }),
                Self::Editor(editor) => editor.typed.recv_timeout(LOOK_EVERY),
            };
            match typed {
                Ok(typed) => return Some(typed),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Some(Typed::End),
            }
        }
        None
    }

    /// Whether a person types.
    pub(super) const fn is_editor(&self) -> bool {
        matches!(self, Self::Editor(_))
    }
}

/// Lines of a terminal, edited by a thread of its own, so that a signal can end the program meanwhile.
pub(super) struct Editor {
    asks: Sender<String>,
    typed: Receiver<Typed>,
    /// Shows again what is typed when this goes.
    _silence: Silence,
}

impl Editor {
    pub(super) fn start() -> anyhow::Result<Self> {
        let silence = Silence::begin();
        let config = Config::builder().auto_add_history(true).build();
        let mut editor =
            DefaultEditor::with_config(config).context("cannot read from the terminal")?;
        let (asks, asked) = channel::<String>();
        let (sender, typed) = channel();
        let edit = move || {
            while let Ok(prompt) = asked.recv() {
                let line = match editor.readline(&prompt) {
                    Ok(line) => Typed::Line(line),
                    Err(ReadlineError::Interrupted) => Typed::Interrupt,
                    Err(_) => Typed::End,
                };
                if sender.send(line).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("editor".to_owned()).spawn(edit)?;
        Ok(Self { asks, typed, _silence: silence })
    }
}

/// While it lives, a terminal shows nothing of what is typed outside the editor: it waits for the next prompt.
struct Silence {
    #[cfg(unix)]
    before: Option<nix::sys::termios::Termios>,
}

#[cfg(unix)]
impl Silence {
    fn begin() -> Self {
        use nix::sys::termios::{LocalFlags, SetArg, tcgetattr, tcsetattr};
        let before = tcgetattr(std::io::stdin()).ok();
        if let Some(mut silent) = before.clone() {
            silent.local_flags.remove(LocalFlags::ECHO | LocalFlags::ICANON);
            let _ = tcsetattr(std::io::stdin(), SetArg::TCSADRAIN, &silent);
        }
        Self { before }
    }
}

#[cfg(unix)]
impl Drop for Silence {
    fn drop(&mut self) {
        use nix::sys::termios::{SetArg, tcsetattr};
        if let Some(before) = &self.before {
            let _ = tcsetattr(std::io::stdin(), SetArg::TCSADRAIN, before);
        }
    }
}

#[cfg(not(unix))]
impl Silence {
    fn begin() -> Self {
        Self {}
    }
}

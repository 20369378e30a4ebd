//! `rosebill help`.

use std::io::Write as _;

use anyhow::Context as _;
use clap::Command;

use crate::faces::cli::commands::options::{self, meanings};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::mistake::no_command;
use crate::faces::cli::table::Table;
use crate::faces::guides::{Block, GUIDES, Guide, blocks};
use crate::faces::render::Painted;

/// Arguments of `help`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: rosebill help values; rosebill help games import")]
pub struct Arguments {
    /// A command, such as grow or games import, the topic of a guide, or options
    topic: Vec<String>,
}

/// The widest that a text is set.
const WIDEST: usize = 100;
/// How wide a text is where the output has no width.
const USUAL: usize = 80;

/// The names of all guides, for the help of the program.
pub fn list() -> String {
    let names: Vec<&str> = GUIDES.iter().map(|guide| guide.name).collect();
    format!(
        "Guides (rosebill help TOPIC): {}; all options: rosebill help {}",
        names.join(", "),
        options::TOPIC
    )
}

pub(super) fn run(
    arguments: &Arguments,
    mut program: Command,
    context: &mut Context,
) -> anyhow::Result<Status> {
    program.build();
    let topic = arguments.topic.join("-");
    if topic == options::TOPIC {
        return list_options(&program, context);
    }
    let is_command =
        arguments.topic.first().is_none_or(|name| program.find_subcommand(name).is_some());
    let (title, text) = match Guide::of(&topic).filter(|_| !is_command) {
        Some(guide) => {
            let width = context.output.width().map_or(USUAL, |width| width.min(WIDEST));
            (guide.title().to_owned(), set(guide, width))
        }
        None if is_command => (topic.clone(), help_of(program, &arguments.topic)?),
        None => {
            let topic = arguments.topic.join(" ");
            anyhow::bail!("no command or guide '{topic}'. {}", list())
        }
    };
    if context.output.is_json() {
        let text = anstream::adapter::strip_str(&text).to_string();
        let object = serde_json::json!({ "topic": topic, "title": title, "text": text });
        context.output.object(&object)?;
    } else {
        context.output.page();
        let text = match context.output.has_colours() {
            true => text,
            false => anstream::adapter::strip_str(&text).to_string(),
        };
        context.output.write_all(text.as_bytes())?;
    }
    Ok(Status::Done)
}

/// Every option with what it means and where.
fn list_options(program: &Command, context: &mut Context) -> anyhow::Result<Status> {
    let all = meanings(program);
    if context.output.is_json() {
        for one in &all {
            context.output.object(one)?;
        }
        return Ok(Status::Done);
    }
    context.output.page();
    let width = context.output.width().map_or(USUAL, |width| width.min(WIDEST));
    let indented = unhyphenated(width).initial_indent("    ").subsequent_indent("    ");
    for one in &all {
        let commands = match one.commands.as_slice() {
            [] => "all commands".to_owned(),
            names => names.join(", "),
        };
        context.output.line(&one.written)?;
        context.output.line(textwrap::fill(&one.meaning, &indented))?;
        context.output.line(textwrap::fill(&format!("in: {commands}"), &indented))?;
    }
    Ok(Status::Done)
}

/// The help of a command, as its option `--help` prints it.
fn help_of(program: Command, names: &[String]) -> anyhow::Result<String> {
    let mut command = &program;
    for name in names {
        command = command.find_subcommand(name).with_context(|| no_command(command, name))?;
    }
    let words = ["rosebill"].into_iter().chain(names.iter().map(String::as_str)).chain(["--help"]);
    match program.clone().try_get_matches_from(words) {
        Err(help) => Ok(help.render().ansi().to_string()),
        Ok(_) => Ok(String::new()),
    }
}

/// A guide as text of lines of at most so many columns.
fn set(guide: &Guide, width: usize) -> String {
    let bold = anstyle::Style::new().bold();
    let mut text = String::new();
    let mut after_item = false;
    for block in blocks(guide.markdown) {
        let is_item = matches!(block, Block::Item(..));
        if !(text.is_empty() || after_item && is_item) {
            text.push('\n');
        }
        after_item = is_item;
        match block {
            Block::Heading(_, heading) => text.push_str(&format!("{bold}{heading}{bold:#}")),
            Block::Paragraph(paragraph) => {
                text.push_str(&textwrap::fill(&paragraph, unhyphenated(width)))
            }
            Block::Item(before, item) => {
                let first = format!("  {before} ");
                let others = " ".repeat(first.len());
                let options = unhyphenated(width).initial_indent(&first);
                text.push_str(&textwrap::fill(&item, options.subsequent_indent(&others)));
            }
            Block::Code(code) => text.push_str(&set_code(&code, width)),
            Block::Table(rows) => {
                let mut rows = rows.into_iter();
                let titles = rows.next().unwrap_or_default();
                let mut table = Table::new(&titles.iter().map(String::as_str).collect::<Vec<_>>());
                rows.for_each(|row| table.row(row));
                let lines: Vec<String> =
                    table.fitted(Some(width)).iter().map(Painted::plain).collect();
                text.push_str(&lines.join("\n"));
            }
        }
        text.push('\n');
    }
    text
}

/// What stands before each line of code.
const BEFORE_CODE: &str = "    ";
/// The fewest columns that a comment behind a command is folded into; with less it stands above.
const LEAST_COMMENT: usize = 28;
/// From how many blanks a line of code begins with it is text, which is folded.
const TEXT_MARGIN: usize = 4;

/// Code in lines of at most so many columns, as far as it can be folded: comments behind commands,
/// and what is indented, each with the lines that go on with it.
fn set_code(code: &str, width: usize) -> String {
    let width = width.saturating_sub(BEFORE_CODE.len());
    let mut set: Vec<String> = Vec::new();
    let mut lines = code.lines().peekable();
    while let Some(line) = lines.next() {
        if margin(line) >= TEXT_MARGIN {
            let mut taken = vec![line];
            while let Some(next) = lines.next_if(|next| goes_on(&taken, next)) {
                taken.push(next);
            }
            set.extend(folded_text(&taken, width));
        } else if line.len() > width
            && let Some(at) = line.rfind("  # ")
        {
            let (command, comment) = line.split_at(at + 2);
            set.extend(commented(command, comment.trim_start_matches("# "), width));
        } else {
            set.push(line.to_owned());
        }
    }
    set.iter().map(|line| format!("{BEFORE_CODE}{line}")).collect::<Vec<_>>().join("\n")
}

/// Lines of such a width, in which no word is broken: an option has hyphens.
fn unhyphenated<'a>(width: usize) -> textwrap::Options<'a> {
    textwrap::Options::new(width).word_splitter(textwrap::WordSplitter::NoHyphenation)
}

/// A command, and a comment on it beside it or above.
fn commented(command: &str, comment: &str, width: usize) -> Vec<String> {
    let is_beside = width.saturating_sub(command.len()) >= LEAST_COMMENT;
    let first = if is_beside { format!("{command}# ") } else { "# ".to_owned() };
    let others = format!("{}# ", " ".repeat(first.len() - 2));
    let options = unhyphenated(width).initial_indent(&first).subsequent_indent(&others);
    let mut lines =
        textwrap::wrap(comment, &options).into_iter().map(Into::into).collect::<Vec<_>>();
    if !is_beside {
        lines.push(command.trim_end().to_owned());
    }
    lines
}

/// How many blanks a line begins with.
fn margin(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether a line of text has columns.
fn has_columns(line: &str) -> bool {
    line.trim().contains("  ")
}

/// Whether a line of text goes on with those before it.
fn goes_on(taken: &[&str], next: &str) -> bool {
    let margins = |place: Option<&&str>| place.map_or(0, |line| margin(line));
    let (first, last, next_margin) = (margins(taken.first()), margins(taken.last()), margin(next));
    let is_below = next_margin > first && (taken.len() == 1 || next_margin == last);
    let is_beside = next_margin == first && !taken.first().is_some_and(|line| has_columns(line));
    !has_columns(next) && !next.trim().is_empty() && (is_below || is_beside)
}

/// Lines of text that go on with each other, folded where one of them is too long.
fn folded_text(lines: &[&str], width: usize) -> Vec<String> {
    let Some(first) = lines.first().filter(|_| lines.iter().any(|line| line.len() > width)) else {
        return lines.iter().map(|&line| line.to_owned()).collect();
    };
    let others = lines.get(1).map_or(margin(first), |line| margin(line));
    let text = lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    let (first, others) = (" ".repeat(margin(first)), " ".repeat(others));
    let options = unhyphenated(width).initial_indent(&first).subsequent_indent(&others);
    textwrap::wrap(&text, &options).into_iter().map(Into::into).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faces::cli::args::Arguments as Program;
    use crate::faces::cli::for_clap;
    use clap::CommandFactory as _;

    const README: &str = include_str!("../../../../README.md");

    /// The words of a line of a shell, up to a comment or what follows the first command.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
        for letter in line.chars() {
            match (quote, letter) {
                (Some(open), letter) if open == letter => quote = None,
                (None, '\'' | '"') => {
                    quote = Some(letter);
                    word.get_or_insert_default();
                }
                (None, '#' | '|' | '>') if word.is_none() => break,
                (None, ' ') => words.extend(word.take()),
                (_, letter) => word.get_or_insert_default().push(letter),
            }
        }
        words.extend(word);
        words
    }

    #[test]
    fn code_is_folded_at_comments_and_in_text() {
        let code = "GET /a-line-of-an-example-that-is-too-long-for-its-place\n    {\"of\", \"all\"}: what \
                    there is of\n    each\n    key    what it means,\n           and more\n    other  \
                    short\nrun --all   # does everything that there is to do\n\
                    run --nothing --at-all --of-it   # does nothing";
        let set = set_code(code, 44);
        let expected = [
            "    GET /a-line-of-an-example-that-is-too-long-for-its-place",
            "        {\"of\", \"all\"}: what there is of",
            "        each",
            "        key    what it means,",
            "               and more",
            "        other  short",
            "    run --all   # does everything that there",
            "                # is to do",
            "    # does nothing",
            "    run --nothing --at-all --of-it",
        ];
        assert_eq!(set.lines().collect::<Vec<_>>(), expected);
        let narrow = set_code(
            "    each of them is text\n    that goes on\n    key    what it means\n           \
                               and more",
            24,
        );
        let expected = [
            "        each of them is",
            "        text that goes",
            "        on",
            "        key    what it",
            "               means and",
            "               more",
        ];
        assert_eq!(narrow.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn every_guide_fits_a_narrow_terminal_but_for_examples() {
        let too_long = |line: &&str| line.trim_start().starts_with("# ") && line.len() > 80;
        for guide in GUIDES {
            let text = anstream::adapter::strip_str(&set(guide, 80)).to_string();
            assert_eq!(text.lines().find(too_long), None, "{}", guide.name);
            let mut wide = text.lines().filter(|line| line.len() > 80 && line.contains("  # "));
            assert_eq!(wide.next(), None, "{}", guide.name);
        }
    }

    #[test]
    fn every_command_of_readme_and_guides_is_one() {
        let (mut count, mut wrong) = (0, Vec::new());
        let texts = GUIDES.iter().map(|guide| guide.markdown).chain([README]);
        // Every second part is between fences.
        let code = texts.flat_map(|text| text.split("```").skip(1).step_by(2));
        for line in code.flat_map(str::lines).filter(|line| line.starts_with("rosebill ")) {
            let words = for_clap(words(line).into_iter().map(Into::into));
            match Program::command().try_get_matches_from(words) {
                Err(error) if error.use_stderr() => wrong.push(format!("{line}\n{error}")),
                _ => count += 1,
            }
        }
        assert!(wrong.is_empty() && count > 100, "{count}\n{}", wrong.concat());
    }
}

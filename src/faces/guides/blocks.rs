//! A guide as blocks of plain text.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// A part of a guide, without marks.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Block {
    /// With its level: 1 is the title.
    Heading(u8, String),
    Paragraph(String),
    /// An item of a list with what is before it, a dot or its number.
    Item(String, String),
    /// Lines that stay as they are.
    Code(String),
    /// Rows of cells, the first being the titles.
    Table(Vec<Vec<String>>),
}

/// The blocks of a text in Markdown.
pub(crate) fn blocks(markdown: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let (mut text, mut rows, mut row) = (String::new(), Vec::new(), Vec::new());
    // Of the list that is open, the number of the next item where items have one.
    let (mut list, mut in_item, mut in_cell) = (None, false, false);
    for event in Parser::new_ext(markdown, super::OPTIONS) {
        match event {
            // What has blanks inside would run into the words around it.
            Event::Code(part) if part.contains(' ') && !in_cell => {
                text.push_str(&format!("'{part}'"));
            }
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            Event::Start(Tag::TableCell) => in_cell = true,
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::Start(Tag::List(first)) => list = first,
            Event::Start(Tag::Item) => in_item = true,
            Event::End(TagEnd::Item) => {
                in_item = false;
                let before = list.map_or_else(|| "-".to_owned(), |number| format!("{number}."));
                list = list.map(|number| number + 1);
                blocks.push(Block::Item(before, std::mem::take(&mut text)));
            }
            Event::End(TagEnd::Paragraph) if !in_item => {
                blocks.push(Block::Paragraph(std::mem::take(&mut text)));
            }
            Event::End(TagEnd::Heading(level)) => {
                blocks.push(Block::Heading(level as u8, std::mem::take(&mut text)));
            }
            Event::End(TagEnd::CodeBlock) => blocks.push(Block::Code(std::mem::take(&mut text))),
            Event::End(TagEnd::TableCell) => {
                in_cell = false;
                row.push(std::mem::take(&mut text));
            }
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => {
                rows.push(std::mem::take(&mut row));
            }
            Event::End(TagEnd::Table) => blocks.push(Block::Table(std::mem::take(&mut rows))),
            _ => {}
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guide_is_read_as_blocks() {
        let read = blocks(
            "# A\n\nOne `two`\n*three*, `four five`.\n\n1. x\n2. y\n\n- z\n\n```sh\na  b\n```\n\n| h | i |\n|---|---|\n| j | `k` |\n",
        );
        let text = |text: &str| text.to_owned();
        let item = |before: &str, of: &str| Block::Item(text(before), text(of));
        assert_eq!(
            read,
            [
                Block::Heading(1, text("A")),
                Block::Paragraph(text("One two three, 'four five'.")),
                item("1.", "x"),
                item("2.", "y"),
                item("-", "z"),
                Block::Code(text("a  b\n")),
                Block::Table(vec![vec![text("h"), text("i")], vec![text("j"), text("k")]]),
            ]
        );
    }
}

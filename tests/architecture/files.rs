//! Which file takes names from which, found in the source text as far as that goes.
//!
//! An arrow leads from a file that takes a name to the file that defines it, whatever re-exports
//! lie between. Declaring a module or handing a name on is no arrow, using it there is one. Tests
//! inside a file do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A source file as far as names go.
#[derive(Default)]
struct File {
    /// Words and marks, without comments, texts, tests and use declarations.
    words: Vec<String>,
    /// The names that use declarations bring in; `None` is a glob.
    uses: Vec<Use>,
    defined: BTreeSet<String>,
    /// Names that stand for themselves: not parts of a path, not variants.
    named: BTreeSet<String>,
}

struct Use {
    name: Option<String>,
    path: Vec<String>,
    /// Handed on: `pub use`.
    is_export: bool,
}

/// The files of a crate by the path of their module; the crate itself has none.
pub struct Files(BTreeMap<Vec<String>, File>);

/// What a path leads to.
enum Found {
    Module(Vec<String>),
    /// A name that the file of this module defines.
    Name(Vec<String>),
}

impl Files {
    /// Reads all files below a folder.
    pub fn read(src: &Path) -> Self {
        let mut paths = Vec::new();
        super::rust_files(src, &mut paths);
        let texts = paths.iter().map(|path| {
            let inside = path.strip_prefix(src).unwrap().with_extension("");
            (inside.to_str().unwrap().replace('\\', "/"), fs::read_to_string(path).unwrap())
        });
        Self::of(texts)
    }

    /// Files by their names inside `src`, without the ending.
    pub fn of(texts: impl IntoIterator<Item = (String, String)>) -> Self {
        let module = |inside: &str| -> Vec<String> {
            let mut module: Vec<String> = inside.split('/').map(str::to_owned).collect();
            let last = module.last().map(String::as_str);
            if last == Some("mod") || inside == "lib" {
                module.pop();
            }
            module
        };
        let texts = texts.into_iter().filter(|(inside, _)| inside != "main");
        Self(texts.map(|(inside, text)| (module(&inside), File::of(&text))).collect())
    }

    /// From each file to those that it takes names from.
    pub fn arrows(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut arrows = BTreeMap::new();
        for (module, file) in &self.0 {
            let mut to = BTreeSet::new();
            for path in self.taken(module, file) {
                if let Some(Found::Name(there)) = self.follow(module, &path, 0)
                    && there != *module
                {
                    to.insert(name_of(&there));
                }
            }
            arrows.insert(name_of(module), to);
        }
        arrows
    }

    /// The paths of all names that a file uses.
    fn taken(&self, module: &[String], file: &File) -> Vec<Vec<String>> {
        let mut taken = Vec::new();
        for each in &file.uses {
            let is_used = |name: &String| file.named.contains(name);
            match &each.name {
                None => taken.extend(self.exported(module, &each.path)),
                // A trait may be used without being named.
                Some(name) if !each.is_export || is_used(name) => taken.push(each.path.clone()),
                Some(_) => {}
            }
        }
        for (at, word) in file.words.iter().enumerate() {
            let starts = at == 0 || !matches!(file.words[at - 1].as_str(), "::" | ".");
            let goes_on = file.words.get(at + 1).is_some_and(|next| next == "::");
            if starts && goes_on && is_name(word) {
                let rest = file.words[at..].chunks(2);
                let path = rest.take_while(|pair| is_name(&pair[0])).scan(true, |on, pair| {
                    let here = *on;
                    *on = pair.get(1).is_some_and(|mark| mark == "::");
                    here.then(|| pair[0].clone())
                });
                taken.push(path.collect());
            }
        }
        taken
    }

    /// What a glob brings in that the file uses: every name of the module that it names.
    fn exported(&self, module: &[String], path: &[String]) -> Vec<Vec<String>> {
        let Some(Found::Module(there)) = self.follow(module, path, 0) else { return Vec::new() };
        let (here, source) = (&self.0[module], &self.0[&there]);
        let names = source.uses.iter().filter_map(|each| each.name.as_ref());
        let names = names.chain(&source.defined).filter(|name| here.named.contains(*name));
        names.map(|name| [path, std::slice::from_ref(name)].concat()).collect()
    }

    /// Where a path leads that stands in the file of a module.
    fn follow(&self, module: &[String], path: &[String], depth: usize) -> Option<Found> {
        let (first, mut rest) = path.split_first()?;
        if depth > 20 {
            return None;
        }
        let mut at = match first.as_str() {
            "crate" => Vec::new(),
            "self" => module.to_vec(),
            "super" => module[..module.len().checked_sub(1)?].to_vec(),
            name => return self.step(module, name, rest, depth),
        };
        while let Some((next, after)) = rest.split_first()
            && next == "super"
        {
            at.pop()?;
            rest = after;
        }
        match rest.split_first() {
            Some((name, rest)) => self.step(&at, name, rest, depth),
            None => Some(Found::Module(at)),
        }
    }

    /// One name further, from inside a module.
    fn step(&self, module: &[String], name: &str, rest: &[String], depth: usize) -> Option<Found> {
        let child: Vec<String> = module.iter().cloned().chain([name.to_owned()]).collect();
        if self.0.contains_key(&child) {
            return match rest.split_first() {
                Some((next, rest)) => self.step(&child, next, rest, depth),
                None => Some(Found::Module(child)),
            };
        }
        let file = self.0.get(module)?;
        if file.defined.contains(name) {
            return Some(Found::Name(module.to_vec()));
        }
        let mut ways = file.uses.iter().filter_map(|each| match &each.name {
            Some(known) if known == name => Some([&each.path, rest].concat()),
            None => Some([&each.path, &[name.to_owned()][..], rest].concat()),
            _ => None,
        });
        ways.find_map(|way| self.follow(module, &way, depth + 1))
    }
}

impl File {
    fn of(text: &str) -> Self {
        let mut words = words(text);
        drop_tests(&mut words);
        let mut file = Self::default();
        let mut at = 0;
        let mut level = 0;
        let mut in_variants = false;
        while at < words.len() {
            let word = words[at].as_str();
            match word {
                "{" => level += 1,
                "}" => {
                    level -= 1;
                    in_variants &= level > 0;
                }
                "use" => {
                    let end = (at..words.len()).find(|&at| words[at] == ";").unwrap();
                    let before = file.words.last().map(String::as_str);
                    let is_export = matches!(before, Some("pub" | ")"));
                    let names = use_tree(&words[at + 1..end], &[]);
                    file.uses.extend(names.into_iter().map(|(name, path)| Use {
                        name,
                        path,
                        is_export,
                    }));
                    at = end + 1;
                    continue;
                }
                "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union"
                    if level == 0 =>
                {
                    let name = words[at + 1..].iter().find(|word| {
                        is_name(word) && !matches!(word.as_str(), "fn" | "unsafe" | "mut")
                    });
                    file.defined.extend(name.cloned());
                    in_variants = word == "enum";
                }
                _ => {}
            }
            let is_part = file.words.last().is_some_and(|before| before == "::" || before == ".");
            if is_name(word) && !is_part && !in_variants {
                file.named.insert(word.to_owned());
            }
            file.words.push(words[at].clone());
            at += 1;
        }
        file
    }
}

fn name_of(module: &[String]) -> String {
    if module.is_empty() { "lib".to_owned() } else { module.join("/") }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Names, each with its path, of the inside of a use declaration.
fn use_tree(words: &[String], before: &[String]) -> Vec<(Option<String>, Vec<String>)> {
    let mut path = before.to_vec();
    let mut at = 0;
    while at < words.len() {
        match words[at].as_str() {
            "::" => {}
            "*" => return vec![(None, path)],
            "{" => return group(&words[at + 1..], &path),
            "as" => return vec![(words.get(at + 1).cloned(), path)],
            "self" if !path.is_empty() => return vec![(path.last().cloned(), path)],
            name => path.push(name.to_owned()),
        }
        at += 1;
    }
    vec![(path.last().cloned(), path)]
}

/// The members of a group, up to the brace that closes it.
fn group(words: &[String], path: &[String]) -> Vec<(Option<String>, Vec<String>)> {
    let mut found = Vec::new();
    let (mut start, mut level) = (0, 0);
    for (at, word) in words.iter().enumerate() {
        match word.as_str() {
            "{" => level += 1,
            "}" if level > 0 => level -= 1,
            "," | "}" if level == 0 => {
                if start < at {
                    found.extend(use_tree(&words[start..at], path));
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

/// Names, numbers and marks; comments and the insides of texts are left out.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(raw) = rest.strip_prefix("r#\"") {
            raw.find("\"#").map_or(rest.len(), |end| end + 5)
        } else if first == '"' {
            text_end(rest)
        } else if let Some(character) = character_end(rest) {
            character
        } else if rest.starts_with("::") {
            words.push("::".to_owned());
            2
        } else if is_name(rest) || first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let end = end.unwrap_or(rest.len());
            words.push(rest[..end].to_owned());
            end
        } else {
            if !first.is_whitespace() {
                words.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    words
}

fn text_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character such as `'{'`; none for a lifetime.
fn character_end(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('\'')?;
    if let Some(escape) = inside.strip_prefix('\\') {
        let end = escape.char_indices().skip(1).find(|&(_, character)| character == '\'')?.0;
        return Some(end + 3);
    }
    let first = inside.chars().next()?.len_utf8();
    inside[first..].starts_with('\'').then_some(first + 2)
}

/// Takes modules of tests out.
fn drop_tests(words: &mut Vec<String>) {
    let mark = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
    while let Some(at) = words.windows(mark.len()).position(|window| window == mark) {
        let mut level = 0;
        let end = words[at..].iter().position(|word| {
            match word.as_str() {
                "{" => level += 1,
                "}" => level -= 1,
                ";" if level == 0 => return true,
                _ => return false,
            }
            level == 0
        });
        words.drain(at..=at + end.unwrap_or(words.len() - at - 1));
    }
}

/// The files of each circle.
pub fn circles(arrows: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let reached = |from: &String| {
        let mut found = BTreeSet::new();
        let mut open: Vec<&String> = arrows[from].iter().collect();
        while let Some(next) = open.pop() {
            if found.insert(next) {
                open.extend(arrows.get(next).into_iter().flatten());
            }
        }
        found
    };
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        arrows.keys().map(|file| (file, reached(file))).collect();
    let mut circles: BTreeSet<Vec<String>> = BTreeSet::new();
    for (file, there) in &reached {
        let same = there.iter().filter(|other| reached[*other].contains(file));
        let circle: Vec<String> = same.map(|other| (*other).clone()).collect();
        if !circle.is_empty() {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

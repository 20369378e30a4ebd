//! Words of a command that is printed to be typed, as a shell and then the program take them.

use std::path::Path;

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-:@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Words of a command as they are typed; of an option with its value, the value alone is quoted.
#[cfg(any(feature = "cli", test))]
pub(crate) fn typed<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    let typed = |word: S| {
        let word = word.as_ref();
        match word.split_once('=').filter(|(option, _)| option.starts_with("--")) {
            Some((option, value)) if quoted(option) == option && !value.is_empty() => {
                format!("{option}={}", quoted(value))
            }
            _ => quoted(word),
        }
    };
    words.into_iter().map(typed).collect::<Vec<_>>().join(" ")
}

/// A file as an argument of a command: no name is taken for an option.
pub(crate) fn file_argument(file: &Path) -> String {
    let name = file.to_string_lossy();
    match name.starts_with('-') {
        true => quoted(&format!("./{name}")),
        false => quoted(&name),
    }
}

/// The option that names a book: `--book my.db`, or `--book=-x.db` where the name would be taken for an option.
pub(crate) fn book_named(book: &Path) -> String {
    let name = book.to_string_lossy();
    let between = if name.starts_with('-') { '=' } else { ' ' };
    format!("--book{between}{}", quoted(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_part_them() {
        assert_eq!(quoted("f5d6c3"), "f5d6c3");
        assert_eq!(quoted("my book.db"), "'my book.db'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }

    #[test]
    fn commands_stand_as_they_are_typed() {
        let words = ["grow", "--book=my book.db", "--from", "f5 d6", "--time=1s", "-q", "a=b", ""];
        let command = "grow --book='my book.db' --from 'f5 d6' --time=1s -q 'a=b' ''";
        assert_eq!(typed(words), command);
    }

    #[test]
    fn a_name_with_a_hyphen_is_no_option() {
        let both = |name: &str| (file_argument(Path::new(name)), book_named(Path::new(name)));
        assert_eq!(both("a.db"), ("a.db".to_owned(), "--book a.db".to_owned()));
        assert_eq!(both("-x.db"), ("./-x.db".to_owned(), "--book=-x.db".to_owned()));
        assert_eq!(both("-x y"), ("'./-x y'".to_owned(), "--book='-x y'".to_owned()));
    }
}

//! What the operating system refuses, in our words.

use std::io::{self, ErrorKind};

/// The mark of a text of the operating system itself.
const MARK: &str = " (os error ";

/// What an error says, as part of a message: for what happens often there are plain words, and the
/// rest loses the number that says nothing to people. A text that is not the system's stays.
pub(crate) fn in_words(error: &io::Error) -> String {
    let text = error.to_string();
    let Some((words, _)) = text.rsplit_once(MARK) else { return text };
    let plain = match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder",
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::NotADirectory => "a part of its path is not a folder",
        ErrorKind::StorageFull => "no space is left",
        ErrorKind::ReadOnlyFilesystem => "nothing can be written there",
        ErrorKind::AddrInUse => "another program listens there already",
        ErrorKind::ConnectionRefused => "nothing listens there",
        _ => {
            let mut letters = words.chars();
            let first = letters.next().map(|first| first.to_ascii_lowercase());
            return first.into_iter().chain(letters).collect();
        }
    };
    plain.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_told_without_its_numbers() {
        let told = |number| in_words(&io::Error::from_raw_os_error(number));
        assert_eq!(told(2), "there is no such file or folder");
        assert!(!told(5).contains("os error"), "{}", told(5));
        assert!(told(5).starts_with(|c: char| c.is_lowercase()), "{}", told(5));
        let wrapped = io::Error::new(ErrorKind::NotFound, io::Error::from_raw_os_error(2));
        assert_eq!(in_words(&wrapped), told(2));
        assert_eq!(in_words(&io::Error::other("It is a folder")), "It is a folder");
    }
}

//! Addresses may hold a password: what is shown or kept of them never does.

/// A text in which no address holds a user, password or token any more.
pub fn without_credentials(text: &str) -> String {
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        told.push_str(before);
        let end = after.find(|c: char| c.is_whitespace() || "'\"".contains(c));
        let (address, next) = after.split_at(end.unwrap_or(after.len()));
        told.push_str(address.rsplit_once('@').map_or(address, |(_, host)| host));
        rest = next;
    }
    told.push_str(rest);
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_holds_no_credentials() {
        for (text, told) in [
            ("grow --fleet nats://a:b@h:4222 --time 1s", "grow --fleet nats://h:4222 --time 1s"),
            ("'tls://t0ken@h' and nats://u:p@ss@h2", "'tls://h' and nats://h2"),
            ("--fleet=nats://h", "--fleet=nats://h"),
            ("games list --player a@b", "games list --player a@b"),
            ("://", "://"),
        ] {
            assert_eq!(without_credentials(text), told);
        }
    }
}

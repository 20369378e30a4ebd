//! The encoding of a text, found from its bytes alone.

use std::borrow::Cow;
use std::io::{self, Read};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, Decoder, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, KOI8_U, SHIFT_JIS,
    UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252,
};

/// Which encoding a text has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Charset {
    /// UTF-8, of which ASCII is a part.
    Utf8,
    /// UTF-16, little end first.
    Utf16Le,
    /// UTF-16, big end first.
    Utf16Be,
    /// ISO 8859-1, with the letters that Windows adds.
    Latin1,
    /// Another one of a region: of Japan, China, Korea, or where letters are Cyrillic. All bytes of ISO-2022-JP, as
    /// mails from Japan have it, are those of ASCII.
    Of(&'static Encoding),
}

impl Charset {
    /// Finds it from the first bytes of a file. Text that is UTF-8 so far may turn out to be
    /// something else later.
    pub(crate) fn of_head(head: &[u8]) -> Self {
        match head {
            [0xff, 0xfe, ..] => Self::Utf16Le,
            [0xfe, 0xff, ..] => Self::Utf16Be,
            _ => of_zeros(head).unwrap_or_else(|| Self::of_bytes(head)),
        }
    }

    /// Distinguishes it from text that is no UTF-16.
    fn of_bytes(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            // A character that is cut off at the end is none that is wrong.
            Err(error) if error.error_len().is_some() => of_lines(bytes),
            Ok(text) if text.is_ascii() && JAPANESE.iter().any(|mark| text.contains(mark)) => {
                Self::Of(ISO_2022_JP)
            }
            _ => Self::Utf8,
        }
    }

    /// A line as text. What follows from the line stays for those behind it.
    pub(crate) fn decode<'a>(&mut self, line: &'a [u8]) -> Cow<'a, str> {
        if *self != Self::Of(ISO_2022_JP)
            && let Ok(text) = std::str::from_utf8(line)
            && !self.is_of_pairs(text)
        {
            return Cow::Borrowed(text);
        }
        if *self == Self::Utf8 {
            *self = of_region(line);
        }
        self.encoding().decode_without_bom_handling(line).0
    }

    /// Whether text is UTF-8 by chance only: the two bytes of a name's letters may be sound as that, one letter after
    /// the other.
    fn is_of_pairs(self, text: &str) -> bool {
        let Self::Of(encoding) = self else { return false };
        // In Shift-JIS these are letters of half width.
        let is_pair = |c: char| ('\u{80}'..'\u{800}').contains(&c);
        encoding != SHIFT_JIS
            && !text.is_ascii()
            && text.split(|c: char| c.is_ascii()).all(|run| {
                run.is_empty() || (run.chars().all(is_pair) && run.chars().nth(1).is_some())
            })
            && encoding
                .decode_without_bom_handling_and_without_replacement(text.as_bytes())
                .is_some()
    }

    /// What reads lines that are no UTF-8.
    const fn encoding(self) -> &'static Encoding {
        match self {
            Self::Of(encoding) => encoding,
            Self::Utf8 | Self::Utf16Le | Self::Utf16Be | Self::Latin1 => WINDOWS_1252,
        }
    }
}

/// What stands before Japanese letters in ISO-2022-JP.
const JAPANESE: [&str; 2] = ["\x1b$B", "\x1b$@"];

/// Bytes as text, in whichever encoding of those that games have, without a byte order mark; none when
/// they are no text.
pub(crate) fn text_of(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let mut charset = Charset::of_head(bytes);
    let encoding = match charset {
        Charset::Utf16Le => UTF_16LE,
        Charset::Utf16Be => UTF_16BE,
        _ if bytes.contains(&0) => return None,
        _ => {
            let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
            return Some(charset.decode(bytes));
        }
    };
    let text = encoding.decode_with_bom_removal(bytes).0;
    // Tables of small numbers have as many zeros.
    let is_text = |c: char| !c.is_control() || c.is_ascii_whitespace();
    text.chars().all(is_text).then_some(text)
}

/// Which UTF-16 a file is, all of it, by its first bytes; none when they are anything else.
pub(crate) fn utf16_of(head: &[u8]) -> Option<Charset> {
    let charset = Charset::of_head(head);
    let is_utf16 = matches!(charset, Charset::Utf16Le | Charset::Utf16Be);
    (is_utf16 && text_of(head).is_some()).then_some(charset)
}

/// Whether a name that was read as Latin-1 is hardly meant so: no language has that many of its letters beside
/// each other.
pub(crate) fn looks_garbled(name: &str) -> bool {
    const MOST: usize = 2;
    longest_run(name) > MOST
}

/// As [`looks_garbled`], of words of any kind, which may have marks of their own beside letters.
pub(crate) fn are_garbled(words: &str) -> bool {
    const MOST: usize = 5;
    longest_run(words) > MOST
}

/// How many letters beside each other are none of ASCII.
fn longest_run(text: &str) -> usize {
    text.split(|c: char| c.is_ascii()).map(|run| run.chars().count()).max().unwrap_or_default()
}

/// UTF-16 without a mark: one of two bytes is zero in nearly all of what games are written in.
fn of_zeros(head: &[u8]) -> Option<Charset> {
    let (pairs, _) = head.as_chunks::<2>();
    let pairs = pairs.get(..pairs.len().min(1000)).filter(|pairs| pairs.len() >= 4)?;
    let most = pairs.len() - pairs.len() / 4;
    let count = |test: fn(&[u8; 2]) -> bool| pairs.iter().filter(|pair| test(pair)).count();
    if count(|&[low, high]| low != 0 && high == 0) >= most {
        Some(Charset::Utf16Le)
    } else if count(|&[high, low]| low != 0 && high == 0) >= most {
        Some(Charset::Utf16Be)
    } else {
        None
    }
}

/// Bytes that are enough to know an encoding by.
const ENOUGH: usize = 1 << 16;

/// The encoding of the lines that are no UTF-8. Beside others in UTF-8 whose letters are those of Europe they are
/// hardly of Asia without kana.
fn of_lines(bytes: &[u8]) -> Charset {
    let (mut others, mut is_european) = (Vec::new(), false);
    for line in bytes.split(|byte| b"\r\n".contains(byte)).filter(|line| !line.is_ascii()) {
        match std::str::from_utf8(line) {
            Ok(text) => is_european |= text.chars().all(|c| c < '\u{250}'),
            Err(_) if others.len() > ENOUGH => break,
            Err(_) => {
                others.extend_from_slice(line);
                others.push(b'\n');
            }
        }
    }
    match of_region(&others) {
        Charset::Of(encoding) if is_european && !has_kana(&encoding.decode(&others).0) => {
            Charset::Latin1
        }
        charset => charset,
    }
}

/// Whether a text has kana of full width beside each other.
fn has_kana(text: &str) -> bool {
    let is_kana = |c: char| matches!(c, 'ぁ'..='ん' | 'ァ'..='ヶ');
    text.split(|c: char| !is_kana(c)).any(|run| run.chars().nth(1).is_some())
}

/// The encoding of bytes that are no UTF-8, by which letters are often beside each other in the languages of each.
fn of_region(bytes: &[u8]) -> Charset {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    match guess {
        _ if [GBK, EUC_JP].contains(&guess) => Charset::Of(of_pairs(bytes, guess)),
        _ if [SHIFT_JIS, BIG5, EUC_KR].contains(&guess) => Charset::Of(guess),
        _ if is_shift_jis(bytes) => Charset::Of(SHIFT_JIS),
        _ if [WINDOWS_1251, KOI8_U].contains(&guess) => Charset::Of(guess),
        _ => Charset::Latin1,
    }
}

/// Letters that names in Japan are mostly made of, and those of China, but for what both have.
const OF_NAMES: [&str; 2] = [
    "田中山本村藤井川木佐橋上下松原野島谷森岡西東北南水口内子美一三郎太健介正哉也司浩之雄彦博幸弘樹秀治崎\
     渡辺斎加坂宮阿部清池福久吉沢沼黒対局先手番後順真直智哲悠誠二",
    "王李张刘陈杨黄赵周吴徐孙马朱胡郭何罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘董袁于余叶蒋杜苏魏程吕丁沈任姚卢傅\
     钟姜崔谭廖范汪陆戴贾韦夏邱方侯邹熊孟秦江薛尹段雷黎龙陶贺顾毛郝龚邵万钱严武孔伟芳华强军丽敏静磊洋勇艳\
     杰娟涛超霞文建国小明海云棋谱黑",
];

/// Which of two encodings have bytes whose pairs are letters in both: only Japanese has kana, and other letters are
/// often in names. Where nothing shows, the guess.
fn of_pairs(bytes: &[u8], guess: &'static Encoding) -> &'static Encoding {
    let read = |encoding: &'static Encoding| {
        encoding.decode_without_bom_handling_and_without_replacement(bytes)
    };
    let (Some(japanese), Some(chinese)) = (read(EUC_JP), read(GB18030)) else {
        return if guess == GBK { GB18030 } else { guess };
    };
    let count = |text: &str, letters: &str| text.chars().filter(|c| letters.contains(*c)).count();
    let found = [count(&japanese, OF_NAMES[0]), count(&chinese, OF_NAMES[1])];
    match () {
        () if has_kana(&japanese) || found[0] > found[1] => EUC_JP,
        () if found[1] > found[0] || guess == GBK => GB18030,
        () => guess,
    }
}

/// Whether bytes are sound as Shift-JIS, and most of its letters are next to another one: those of half width, and
/// words that are too short to be known by their letters. A single accented letter in a name can look like a
/// Japanese one.
fn is_shift_jis(bytes: &[u8]) -> bool {
    // They are no letters of Windows, but the first halves of many kanji.
    const OF_NO_LATIN: [u8; 5] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
    let (text, _, had_errors) = SHIFT_JIS.decode(bytes);
    // What only a vendor's private letters would be.
    if had_errors || text.contains(|c| ('\u{e000}'..='\u{f8ff}').contains(&c)) {
        return false;
    }
    let (mut alone, mut together) = (0_usize, 0_usize);
    for run in text.split(|c: char| c.is_ascii()) {
        match run.chars().count() {
            1 => alone += 1,
            letters => together += letters,
        }
    }
    together > alone || bytes.iter().any(|byte| OF_NO_LATIN.contains(byte))
}

/// Bytes of UTF-16 read as UTF-8.
pub(crate) struct FromUtf16<R> {
    input: R,
    decoder: Decoder,
    raw: Vec<u8>,
    text: Vec<u8>,
    /// What of `text` has been handed out.
    at: usize,
    is_over: bool,
}

/// Bytes taken from UTF-16 at a time.
const PIECE: usize = 1 << 13;

impl<R: Read> FromUtf16<R> {
    pub(crate) fn new(input: R, charset: Charset) -> Self {
        let encoding = if charset == Charset::Utf16Be { UTF_16BE } else { UTF_16LE };
        let decoder = encoding.new_decoder_with_bom_removal();
        Self { input, decoder, raw: vec![0; PIECE], text: Vec::new(), at: 0, is_over: false }
    }
}

impl<R: Read> Read for FromUtf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() && !self.is_over {
            let count = self.input.read(&mut self.raw)?;
            self.is_over = count == 0;
            let raw = self.raw.get(..count).unwrap_or_default();
            // A unit of two bytes becomes three at most, and one may be left from before.
            self.text.resize(3 * PIECE + 16, 0);
            let (_, _, written, _) = self.decoder.decode_to_utf8(raw, &mut self.text, self.is_over);
            self.text.truncate(written);
            self.at = 0;
        }
        let ready = self.text.get(self.at..).unwrap_or_default();
        let count = ready.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(ready) {
            *to = *from;
        }
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_by_their_letters() {
        for name in
            ["André", "Müller Jürgen", "Björn", "Löf, Göran", "Peña", "Léonard", "é", "Ñandú"]
        {
            let (bytes, _, _) = WINDOWS_1252.encode(name);
            let line = [b"[Black \"", &bytes[..], b"\"]"].concat();
            let mut charset = Charset::of_head(&line);
            assert_eq!(
                (charset, charset.decode(&line)),
                (Charset::Latin1, format!("[Black \"{name}\"]").into())
            );
        }
        for (encoding, names) in [
            (
                SHIFT_JIS,
                &["村上健", "末國 誠", "ﾑﾗｶﾐ", "たけし Murakami", "林 40-24 森", "黒,白,棋譜"][..],
            ),
            (
                EUC_JP,
                &[
                    "大会名：クイーン",
                    "石田さんと山田さんの対局",
                    "たけし Murakami\n黒：石田浩二",
                    "村上健",
                    "黒：村上健\n白：末國誠\n",
                    "black,white,moves\n高梨悠介,村上健,f5d6\n",
                    "末國誠",
                    "black,white,moves\n村上健,末國誠,f5d6\n中島哲也,後藤宏,f5\n",
                ],
            ),
            (
                GB18030,
                &[
                    "黑方：张伟\n白方：王芳\n",
                    "黑,白,棋谱\n王小明,李㐀,f5d6c3",
                    "张伟,王芳",
                    "李华",
                ],
            ),
            (BIG5, &["黑方：張偉\n白方：王芳\n", "黑,白,棋譜\n王小明,李華,f5d6c3", "劉"]),
            (EUC_KR, &["흑: 김철수\n백: 이영희\n", "흑,백,기보\n김철수,이영희,f5d6c3", "박지성"]),
            (WINDOWS_1251, &["Иванов,Петров,f5d6", "[Black \"Иванов Пётр\"]"]),
        ] {
            for &name in names {
                let (bytes, _, _) = encoding.encode(name);
                let mut charset = Charset::of_head(&bytes);
                let read = (charset, charset.decode(&bytes));
                assert_eq!(read, (Charset::Of(encoding), name.into()));
            }
        }
        for name in ["大会名：クイーン", "石田さんと山田さんの対局", "村上健"]
        {
            let (bytes, _, _) = ISO_2022_JP.encode(name);
            let mut charset = Charset::of_head(&bytes);
            assert_eq!((charset, charset.decode(&bytes)), (Charset::Of(ISO_2022_JP), name.into()));
        }
        for text in ["", "f5d6", "Müller", "村上", "\u{feff}f5"] {
            assert_eq!(Charset::of_head(text.as_bytes()), Charset::Utf8, "{text}");
        }
        // Files that were put together.
        for (name, encoding, charset) in [
            ("François", WINDOWS_1252, Charset::Latin1),
            ("Löf Ñandú", WINDOWS_1252, Charset::Latin1),
            ("たけし 村上", SHIFT_JIS, Charset::Of(SHIFT_JIS)),
        ] {
            let text = ["[Black \"Zoé\"]\n".as_bytes(), &encoding.encode(name).0].concat();
            assert_eq!(Charset::of_head(&text), charset, "{name}");
        }
        // Sound as UTF-8, too.
        let (bytes, _, _) = GB18030.encode("芦卢");
        assert!(std::str::from_utf8(&bytes).is_ok());
        assert_eq!(Charset::Of(GB18030).decode(&bytes), "芦卢");
        assert_eq!(Charset::Of(GB18030).decode("Zoé 村上".as_bytes()), "Zoé 村上");
        // Cut inside a letter.
        assert_eq!(Charset::of_head(&"Mü".as_bytes()[..2]), Charset::Utf8);
        assert_eq!(Charset::of_head(&[0; 100]), Charset::Utf8);
    }

    #[test]
    fn whole_texts_are_told_from_what_is_none() {
        let utf16: Vec<u8> = "f5d6 Müller\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let marked = [&b"\xff\xfe"[..], &utf16].concat();
        for bytes in ["f5d6 Müller\r\n".as_bytes(), b"f5d6 M\xfcller\r\n", &utf16, &marked] {
            assert_eq!(text_of(bytes).as_deref(), Some("f5d6 Müller\r\n"));
            let is_utf16 = bytes.contains(&0);
            assert_eq!(utf16_of(bytes), is_utf16.then_some(Charset::Utf16Le));
        }
        assert_eq!(text_of("\u{feff}f5".as_bytes()).as_deref(), Some("f5"));
        for bytes in [&b"f5\0d6"[..], &[1, 0, 2, 0, 3, 0, 4, 0, 5, 0]] {
            assert_eq!((text_of(bytes), utf16_of(bytes)), (None, None));
        }
    }

    #[test]
    fn reads_both_kinds_of_utf_16() {
        let text = "f5d6 Müller 村上 😀\n".repeat(3000);
        for (charset, marked) in [
            (Charset::Utf16Le, true),
            (Charset::Utf16Be, true),
            (Charset::Utf16Le, false),
            (Charset::Utf16Be, false),
        ] {
            let mark = if marked { "\u{feff}" } else { "" };
            let units = mark.encode_utf16().chain(text.encode_utf16());
            let bytes: Vec<u8> = units
                .flat_map(|unit| {
                    if charset == Charset::Utf16Le {
                        unit.to_le_bytes()
                    } else {
                        unit.to_be_bytes()
                    }
                })
                .collect();
            assert_eq!(Charset::of_head(&bytes), charset);
            let mut read = String::new();
            FromUtf16::new(&bytes[..], charset).read_to_string(&mut read).unwrap();
            assert_eq!(read, text);
            // Half a unit at the end is no end of everything.
            let mut read = String::new();
            FromUtf16::new(&bytes[..bytes.len() - 1], charset).read_to_string(&mut read).unwrap();
            assert!(read.len() >= text.len() - 3);
        }
    }
}

//! What people and programs call the facts of a game: one table for the labels of transcripts, the columns of
//! tables, the tags of PGN and the keys of JSON, in ten languages.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;

use super::name_words::plain;

/// What a label says of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Label {
    Black,
    White,
    /// Both names in one text.
    Players,
    BlackRating,
    WhiteRating,
    BlackDiscs,
    WhiteDiscs,
    Event,
    Round,
    Date,
    /// The date in UTC, which may be another day than the one of the place.
    UtcDate,
    Year,
    /// The time of day.
    Time,
    /// The time that a player has.
    TimeControl,
    Site,
    Result,
    /// A result, or something else that is counted.
    Score,
    Winner,
    Moves,
    /// The board that the moves start from.
    Start,
    /// As [`Label::Start`], or a number or a word that means something else.
    MaybeStart,
    /// The side to move on that board.
    Turn,
    Notes,
    /// The rules, among them XOT and random starts.
    Kind,
    BoardSize,
    Xot,
    /// Black's discs after perfect play.
    Theory,
    TheoryEmpties,
}

/// The words for each, without blanks, marks and accents; those that we write ourselves first. Of moves the
/// likeliest come first.
const WORDS: [(Label, &str); 28] = [
    (
        Label::Black,
        "black blackplayer playerblack blackname nameblack playernameblack player1 playerone firstplayer ● ⚫ \
         noir noirs joueurnoir nomnoir joueur1 premierjoueur schwarz schwarzer spielerschwarz schwarzspieler \
         spieler1 nero neri giocatorenero giocatore1 negro negras negros jugadornegro jugadornegras jugador1 \
         preto pretas pretos jogadorpreto jogador1 zwart speler1 zwartspeler spelerzwart \
         黒 黒番 黒石番 先手 先手番 先攻 黒側 対局者黒 黑 黑方 黑棋 黑子 执黑 先手方 흑 흑돌 흑번 흑선 선수 선공 선",
    ),
    (
        Label::White,
        "white whiteplayer playerwhite whitename namewhite playernamewhite player2 playertwo secondplayer ○ ⚪ \
         blanc blancs joueurblanc nomblanc joueur2 secondjoueur weiss weis weisser spielerweiss weissspieler \
         spieler2 bianco bianchi giocatorebianco giocatore2 blanco blancas blancos jugadorblanco \
         jugadorblancas jugador2 branco brancas brancos jogadorbranco jogador2 wit speler2 witspeler \
         spelerwit 白 白番 白石番 後手 後手番 後攻 白側 対局者白 白方 白棋 白子 执白 后手 后手方 백 백돌 백번 \
         후수 후공 후",
    ),
    (
        Label::Players,
        "players pairing joueurs spieler paarung giocatori jugadores jogadores spelers 対局者 対戦者 対戦 対局 对局者 \
         棋手 선수들 대국자",
    ),
    (
        Label::BlackRating,
        "blackrating blackelo ratingblack eloblack blackelorating blackplayerrating elonoir classementnoir \
         schwarzelo eloschwarz wertungschwarz elonero elonegro elopreto elozwart ratingzwart 黒レート \
         黒レーティング 先手レート 黑方等级分 흑레이팅",
    ),
    (
        Label::WhiteRating,
        "whiterating whiteelo ratingwhite elowhite whiteelorating whiteplayerrating eloblanc classementblanc \
         weisselo eloweiss wertungweiss elobianco eloblanco elobranco elowit ratingwit 白レート 白レーティング \
         後手レート 白方等级分 백레이팅",
    ),
    (
        Label::BlackDiscs,
        "blackdiscs blackscore scoreblack blackdisks blackdisc blackdisk blackpieces blackstones blackcount \
         discsblack scorenoir pionsnoirs schwarzpunkte punkteschwarz schwarzesteine steineschwarz \
         pedinenere punteggionero fichasnegras puntosnegro discospretos pontospreto zwarteschijven \
         scorezwart 黒石数 黒得点 黒スコア 黑子数 흑돌수 흑점수",
    ),
    (
        Label::WhiteDiscs,
        "whitediscs whitescore scorewhite whitedisks whitedisc whitedisk whitepieces whitestones whitecount \
         discswhite scoreblanc pionsblancs weisspunkte punkteweiss weissesteine steineweiss \
         pedinebianche punteggiobianco fichasblancas puntosblanco discosbrancos pontosbranco witteschijven \
         scorewit 白石数 白得点 白スコア 白子数 백돌수 백점수",
    ),
    (
        Label::Event,
        "event tournament tournamentname eventname competition championship tournoi nomdutournoi competiton \
         epreuve turnier turniername wettbewerb veranstaltung torneo evento competizione campionato \
         nometorneo competicion campeonato torneio competicao toernooi evenement kampioenschap wedstrijd \
         大会 大会名 イベント 競技会 棋戦 赛事 比赛 赛事名称 大赛 賽事 比賽 대회 대회명 경기",
    ),
    (
        Label::Round,
        "round rnd roundnumber ronde tour runde turno ronda rodada 回戦 ラウンド 局 第 轮次 轮 輪次 라운드 회전",
    ),
    (
        Label::Date,
        "date gamedate playedon played dateplayed startdate day datum spieldatum gespieltam partiedatum data \
         fecha dia dag jour tag 日付 日時 対局日 開催日 年月日 日期 对局日期 날짜 일자 대국일",
    ),
    (Label::UtcDate, "utcdate"),
    (Label::Year, "year annee jahr anno ano jaar 年 年度 年份 연도 년도"),
    (
        Label::Time,
        "time timeofday starttime heure uhrzeit ora hora tijd 時刻 開始時刻 时间 時間 시간",
    ),
    (
        Label::TimeControl,
        "timecontrol timelimit cadence bedenkzeit tempodiriflessione tempo ritmodejuego ritmo speeltempo \
         bedenktijd 持ち時間 持時間 用时 제한시간",
    ),
    (
        Label::Site,
        "site place location venue lieu ort spielort sede luogo lugar local plaats locatie 場所 会場 開催地 地点 \
         장소",
    ),
    (
        Label::Result,
        "result outcome finalresult resultat ergebnis risultato resultado uitslag 結果 结果 결과",
    ),
    (
        Label::Score,
        "score finalscore endscore scorefinal stand endstand punkte punteggio puntuacion marcador placar \
         pontuacao eindstand スコア 得点 石数 比分 점수 스코어",
    ),
    (
        Label::Winner,
        "winner gagnant vainqueur sieger gewinner vincitore ganador vencedor winnaar 勝者 胜者 獲勝者 승자",
    ),
    (
        Label::Moves,
        "moves gamemoves transcript sequence kifu 棋譜 手順 coups zuge zuege game line record gamerecord movelist \
         movesequence transcription zugfolge notation partie mosse sequenza trascrizione movimientos \
         jugadas partida movimentos lances jogadas zetten zettenreeks 着手 棋谱 着法 기보 수순",
    ),
    (
        Label::Start,
        "start fen startpos startposition startboard startfen initialposition initialboard initialfen \
         initialstate startingposition startingboard startingfen boardstart setupfen obf \
         positioninitiale positiondepart positiondedepart ausgangsstellung startstellung \
         anfangsstellung posizioneiniziale posicioninicial posicaoinicial beginstelling startstelling \
         開始局面 初期局面 初期配置 開始盤面 初期盤面 起始局面 初始局面 시작위치 초기배치",
    ),
    (
        Label::MaybeStart,
        "board position initial init setup opening startingpos plateau damier stellung brett diagramm \
         posizione scacchiera posicion tablero posicao tabuleiro stelling bord diagram 盤面 局面 棋盘 판",
    ),
    (
        Label::Turn,
        "turn side sidetomove tomove mover stm whosemove whoseturn firsttomove movesfirst nexttomove color \
         colour colortomove trait autrait amzug zug turnodi turnode vez aanzet 手番 次の手番 轮到 차례",
    ),
    (
        Label::Notes,
        "comment note notes comments remark remarks memo commentaire commentaires remarque remarques \
         bemerkung bemerkungen kommentar kommentare anmerkung anmerkungen notiz notizen commento commenti \
         nota notas osservazioni comentario comentarios observaciones observacoes opmerking \
         opmerkingen notitie notedepartie 感想 所感 備考 コメント メモ 注釈 备注 评论 注释 備註 비고 메모 코멘트",
    ),
    (
        Label::Kind,
        "variant type gametype matchtype rules variante spielart spelvariant variantname ルール",
    ),
    (Label::BoardSize, "boardsize size sizeofboard brettgrosse"),
    (Label::Xot, "xot isxot"),
    (Label::Theory, "theoretical theoreticalscore theoreticaldiscs scoretheorique"),
    (Label::TheoryEmpties, "theoreticalempties theoreticaldepth"),
];

/// All words with what they mean.
static LABELS: LazyLock<HashMap<&str, Label, FixedState>> = LazyLock::new(|| {
    let all =
        WORDS.iter().flat_map(|(label, words)| words.split_whitespace().map(|word| (word, *label)));
    all.collect()
});

/// What is the same for all names that mean the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Key {
    Known(Label),
    /// A name that nothing is known of, as [`label_key`] gives it.
    Named(String),
}

impl Key {
    pub(super) fn of(name: &str) -> Self {
        let key = label_key(name);
        LABELS.get(key.as_str()).map_or(Self::Named(key), |label| Self::Known(*label))
    }

    /// What it means; none where that is not known.
    pub(super) const fn label(&self) -> Option<Label> {
        match self {
            Self::Known(label) => Some(*label),
            Self::Named(_) => None,
        }
    }
}

/// What a label means; none where it is not known.
pub(super) fn label_of(name: &str) -> Option<Label> {
    LABELS.get(label_key(name).as_str()).copied()
}

/// How likely a label is that of the moves, the likeliest first; none where it is another's.
pub(super) fn place_among_moves(name: &str) -> Option<usize> {
    let key = label_key(name);
    LABELS.get(key.as_str()).filter(|label| **label == Label::Moves)?;
    let words = WORDS.iter().find(|(label, _)| *label == Label::Moves)?.1;
    words.split_whitespace().position(|word| word == key)
}

/// A label in small letters, without blanks, marks and accents: names that are equal then mean the same.
pub(super) fn label_key(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    if name.is_ascii() {
        let kept = name.bytes().filter(u8::is_ascii_alphanumeric);
        key.extend(kept.map(|byte| char::from(byte.to_ascii_lowercase())));
        return key;
    }
    for letter in name.chars().flat_map(char::to_lowercase) {
        match plain(letter) {
            Some(letters) => key.push_str(letters),
            None if letter.is_alphanumeric() || "●○⚫⚪".contains(letter) => key.push(letter),
            None => {}
        }
    }
    key
}

/// The words of a label: `final_board`, `finalBoard`, `FENFinal` and `board2` have two.
pub(super) fn words_of(name: &str) -> impl Iterator<Item = &str> {
    let mut letters = name.char_indices().peekable();
    let (mut from, mut before) = (0, None::<char>);
    std::iter::from_fn(move || {
        loop {
            let Some((at, letter)) = letters.next() else {
                let word = name.get(from..).filter(|word| !word.is_empty());
                from = name.len();
                return word;
            };
            let next = letters.peek().map(|&(_, next)| next);
            let last = before.replace(letter);
            let is_first = letter.is_uppercase()
                && (last.is_some_and(char::is_lowercase) || next.is_some_and(char::is_lowercase));
            let is_number = |c: char| c.is_numeric();
            let begins = is_first || last.is_some_and(|last| is_number(last) != is_number(letter));
            let (end, behind) = match letter.is_alphanumeric() {
                true if !begins => continue,
                true => (at, at),
                false => (at, at + letter.len_utf8()),
            };
            let word = name.get(std::mem::replace(&mut from, behind)..end);
            if let Some(word) = word.filter(|word| !word.is_empty()) {
                return Some(word);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_has_two_meanings() {
        let mut known = HashMap::new();
        for (label, words) in WORDS {
            for word in words.split_whitespace() {
                assert_eq!(label_key(word), word);
                assert_eq!(known.insert(word, label), None, "{word}");
            }
        }
        assert!(known.len() > 500, "{}", known.len());
    }

    #[test]
    fn labels_have_words() {
        for (name, words) in [
            ("final_board", "final board"),
            ("finalBoard", "final Board"),
            ("FENFinal", "FEN Final"),
            ("Final-FEN ", "Final FEN"),
            ("also2_board", "also 2 board"),
            ("friendlyBoard", "friendly Board"),
            ("Position d'été", "Position d été"),
            ("__", ""),
            ("", ""),
        ] {
            assert_eq!(words_of(name).collect::<Vec<_>>().join(" "), words, "{name}");
        }
    }

    #[test]
    fn a_label_is_known_however_it_is_written() {
        for (name, label) in [
            ("Black", Label::Black),
            ("black_rating", Label::BlackRating),
            ("BlackElo", Label::BlackRating),
            ("Weiß", Label::White),
            ("Joueur noir", Label::Black),
            ("ANNÉE", Label::Year),
            ("Año", Label::Year),
            ("大会名", Label::Event),
            ("先手", Label::Black),
            ("Player 1", Label::Black),
            ("Züge", Label::Moves),
        ] {
            assert_eq!(label_of(name), Some(label), "{name}");
        }
        assert_eq!(label_of("Annotator"), None);
        assert_eq!(label_of(""), None);
    }
}

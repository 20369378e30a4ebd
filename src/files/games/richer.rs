//! One game from two sources: the richer header wins, and nothing is lost.

use std::collections::BTreeMap;

use super::game::Game;
use super::remarks::boards;
use super::stated::Stated;
use crate::othello::board::{Square, Symmetry};

/// How the names of facts begin that another source gives otherwise.
const ALSO: &str = "also_";

/// Between several other values of one fact.
const BETWEEN: &str = " / ";

/// What a second source added to a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Richer {
    /// Nothing: all of it was there.
    Known,
    /// A fact that was missing, or another value of one.
    Richer,
}

impl Game {
    /// Adds what another source says of the same game ([`super::same_game`]). Missing facts are
    /// filled in. Where both say something else the source with more facts wins, and the other
    /// value is kept in [`Game::extra`] under `also_` and the name of the fact. Doing it again
    /// changes nothing.
    pub fn absorb(&mut self, other: &Self) -> Richer {
        let before = self.clone();
        if other.facts() > self.facts() {
            let poorer = std::mem::replace(self, other.clone());
            self.take(&poorer);
            // The orientation and the source stay those of the game that was there.
            self.source = poorer.source;
            self.start = poorer.start;
            self.black_discs = poorer.black_discs;
            if self.moves.len() != poorer.moves.len() {
                self.milliseconds = poorer.milliseconds;
            }
            self.remarks = poorer.remarks;
            self.take_remarks(other, &poorer.moves);
            self.moves = poorer.moves;
        } else {
            self.take(other);
            let moves = self.moves.clone();
            self.take_remarks(other, &moves);
        }
        if *self == before { Richer::Known } else { Richer::Richer }
    }

    /// Adds what another source says of these moves, which it may have turned: behind a symmetric position the rest
    /// otherwise than what is before it.
    fn take_remarks(&mut self, other: &Self, moves: &[Square]) {
        if other.remarks.is_empty() {
            return;
        }
        let (here, there) = (boards(self.start, moves), boards(other.start, &other.moves));
        let turn_at = |ply: usize| {
            let before = ply.checked_sub(1)?;
            let ((here, there), (played, said)) = (
                (here.get(before)?.position, there.get(before)?.position),
                (*moves.get(before)?, *other.moves.get(before)?),
            );
            let mut turns = Symmetry::all();
            turns.find(|turn| turn.position(there) == here && turn.square(said) == played)
        };
        let mut remarks = other.remarks.clone();
        remarks.turn_each(turn_at);
        self.remarks.absorb(&remarks);
    }

    /// The values that other sources gave of a fact.
    pub(super) fn also(&self, name: &str) -> impl Iterator<Item = &str> {
        let values = self.extra.get(&format!("{ALSO}{name}"));
        values.into_iter().flat_map(|values| values.split(BETWEEN))
    }

    /// How many facts a source gives.
    fn facts(&self) -> usize {
        let texts =
            [&self.event, &self.round, &self.black.name, &self.white.name, &self.time_control];
        let texts = texts.into_iter().flatten().count();
        let date = self.date.map_or(0, |date| {
            1 + usize::from(date.month().is_some()) + usize::from(date.day().is_some())
        });
        let ratings = [self.black.rating, self.white.rating].into_iter().flatten().count();
        let own = self.extra.keys().filter(|name| !name.starts_with(ALSO)).count();
        texts
            + date
            + ratings
            + own
            + usize::from(self.stated.is_some())
            + usize::from(self.theoretical.is_some())
            + usize::from(!self.milliseconds.is_empty())
            + usize::from(!self.remarks.is_empty())
    }

    fn take(&mut self, other: &Self) {
        let extra = &mut self.extra;
        fill(&mut self.event, other.event.as_ref(), "event", extra);
        fill(&mut self.round, other.round.as_ref(), "round", extra);
        fill(&mut self.black.name, other.black.name.as_ref(), "black", extra);
        fill(&mut self.white.name, other.white.name.as_ref(), "white", extra);
        fill(&mut self.time_control, other.time_control.as_ref(), "time_control", extra);
        match (&self.stated, &other.stated) {
            (Some(own), Some(others)) if says_less(own, others) => {
                self.stated.clone_from(&other.stated)
            }
            (Some(own), Some(others)) if says_less(others, own) => {}
            // `44-20` and `+24` are one result; other text about the end is kept.
            (Some(own), Some(others))
                if (own.how.is_none() || others.how.is_none() || own.how == others.how)
                    && let Some(both) = own.and(others) =>
            {
                self.stated = Some(both);
            }
            _ => fill(&mut self.stated, other.stated.as_ref(), "stated", extra),
        }
        for (own, others, name) in [
            (&mut self.black.rating, other.black.rating, "black_rating"),
            (&mut self.white.rating, other.white.rating, "white_rating"),
        ] {
            fill(own, others.as_ref(), name, extra);
        }
        // A day says more than its year.
        match (self.date, other.date) {
            (Some(own), Some(others)) if own.to_string().starts_with(&others.to_string()) => {}
            (Some(own), Some(others)) if others.to_string().starts_with(&own.to_string()) => {
                self.date = Some(others);
            }
            // Another program wrote the first day of the year for all of it.
            (Some(own), Some(others)) if others.may_be_a_year() && own.year() == others.year() => {}
            (Some(own), Some(others)) if own.may_be_a_year() && own.year() == others.year() => {
                self.date = Some(others);
            }
            _ => fill(&mut self.date, other.date.as_ref(), "date", extra),
        }
        self.theoretical = self.theoretical.or(other.theoretical);
        self.xot |= other.xot;
        if self.milliseconds.is_empty() && self.moves.len() == other.moves.len() {
            self.milliseconds.clone_from(&other.milliseconds);
        }
        for (name, value) in &other.extra {
            match self.extra.get(name) {
                None => {
                    self.extra.insert(name.clone(), value.clone());
                }
                Some(own) if own == value => {}
                Some(_) if name.starts_with(ALSO) => value
                    .split(BETWEEN)
                    .for_each(|value| also(&mut self.extra, name.clone(), value)),
                Some(_) => also(&mut self.extra, format!("{ALSO}{name}"), value),
            }
        }
    }
}

/// Whether a result ended as another one does, but without the winner, as older books have it.
fn says_less(one: &Stated, other: &Stated) -> bool {
    let read = || one.how.as_deref().and_then(Stated::read);
    one.score.is_none()
        && other.score.is_some()
        && (one.how == other.how || read().as_ref() == Some(other))
}

/// Fills in what is missing, else keeps the other value beside it.
fn fill<T: Clone + PartialEq + ToString>(
    own: &mut Option<T>,
    other: Option<&T>,
    name: &str,
    extra: &mut BTreeMap<String, String>,
) {
    let Some(other) = other else { return };
    match own {
        None => *own = Some(other.clone()),
        Some(own) if own == other => {}
        Some(_) => also(extra, format!("{ALSO}{name}"), &other.to_string()),
    }
}

fn also(extra: &mut BTreeMap<String, String>, name: String, value: &str) {
    let values = extra.entry(name).or_default();
    if values.is_empty() {
        value.clone_into(values);
    } else if !holds(values, value) {
        values.push_str(BETWEEN);
        values.push_str(value);
    }
}

/// Whether a value is among several. What is between them may be in the value itself.
fn holds(values: &str, value: &str) -> bool {
    let framed = |text: &str| format!("{BETWEEN}{text}{BETWEEN}");
    framed(values).contains(&framed(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::date::Date;
    use crate::files::games::testing::read_all;

    fn game(year: u16, day: Option<u8>, event: &str, facts: &[(&str, &str)]) -> Game {
        Game {
            event: Some(event.to_owned()),
            date: Date::new(year, day, day),
            stated: Stated::read("40-24"),
            extra: facts.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect(),
            ..Game::default()
        }
    }

    #[test]
    fn who_won_is_added_to_how_it_ended() {
        let with = |stated: &str| Game { stated: Stated::read_shown(stated), ..Game::default() };
        for (one, other, both, also) in [
            ("White resigned", "1-0 (resigned)", "1-0 (resigned)", None),
            ("resigned", "1-0 (resigned)", "1-0 (resigned)", None),
            ("White resigned", "0-1 (resigned)", "White resigned", Some("0-1 (resigned)")),
        ] {
            let mut known = with(one);
            assert_eq!(known.absorb(&with(other)), Richer::Richer);
            assert_eq!(known.stated.as_ref().map(Stated::to_string).as_deref(), Some(both));
            assert_eq!(known.extra.get("also_stated").map(String::as_str), also, "{one}");
            assert_eq!(known.absorb(&with(other)), Richer::Known);
            if also.is_none() {
                assert_eq!(known.absorb(&with(one)), Richer::Known);
            }
        }
    }

    #[test]
    fn one_result_in_two_ways_is_kept_once() {
        let with = |stated: &str| Game { stated: Stated::read_shown(stated), ..Game::default() };
        for (one, other, both, is_richer) in [
            ("44-20", "+24", "44-20", false),
            ("+24", "44-20", "44-20", true),
            ("1-0", "44-20", "44-20", true),
            ("44-20", "+24 (resigned)", "44-20 (resigned)", true),
        ] {
            let mut known = with(one);
            let absorbed = known.absorb(&with(other));
            assert_eq!(absorbed == Richer::Richer, is_richer, "{one}, {other}");
            assert_eq!(known.stated.as_ref().map(Stated::to_string).as_deref(), Some(both));
            assert!(known.extra.is_empty(), "{one}, {other}");
            assert_eq!(known.absorb(&with(other)), Richer::Known);
        }
    }

    #[test]
    fn nothing_is_lost_and_nothing_is_added_twice() {
        let poor = game(2006, None, "EGP Stockholm", &[("Site", "Stockholm")]);
        let rich =
            game(2006, Some(5), "European Grand Prix", &[("Site", "Sweden"), ("Board", "1")]);
        for (first, second) in [(&poor, &rich), (&rich, &poor)] {
            let mut merged = first.clone();
            assert_eq!(merged.absorb(second), Richer::Richer);
            assert_eq!(merged.event.as_deref(), Some("European Grand Prix"));
            assert_eq!(merged.date, Date::new(2006, Some(5), Some(5)));
            let extra = |name: &str| merged.extra.get(name).map(String::as_str);
            assert_eq!(extra("also_event"), Some("EGP Stockholm"));
            assert_eq!((extra("Site"), extra("also_Site")), (Some("Sweden"), Some("Stockholm")));
            assert_eq!(extra("also_stated"), None);
            let mut again = merged.clone();
            for known in [first, second, first] {
                assert_eq!(again.absorb(known), Richer::Known, "{again:?}");
            }
            let third = game(2006, Some(5), "Stockholm", &[]);
            assert_eq!(again.absorb(&third), Richer::Richer);
            assert_eq!(again.extra["also_event"], "EGP Stockholm / Stockholm");
            assert_eq!(again.absorb(&third), Richer::Known);
        }
        let mut same = poor.clone();
        assert_eq!(same.absorb(&poor), Richer::Known);
        // What is between two values may be in one.
        let (mut known, final_) = (rich, game(2006, Some(5), "WOC / Final", &[]));
        assert_eq!(known.absorb(&poor), Richer::Richer);
        assert_eq!(known.absorb(&final_), Richer::Richer);
        assert_eq!(known.extra["also_event"], "EGP Stockholm / WOC / Final");
        for again in [&final_, &poor, &final_] {
            assert_eq!(known.absorb(again), Richer::Known, "{known:?}");
        }
    }

    /// Behind a symmetric position the rest of a game may be turned otherwise than what is before it.
    #[test]
    fn remarks_are_kept_where_only_the_rest_is_turned() {
        let read = |moves: &str| {
            let text = format!("[Black \"Ann\"]\n[White \"Bob\"]\n\n{moves} *\n");
            read_all(&text).0.remove(0).game
        };
        let mut known = read("1. f5 f6 2. e6 f4");
        known.absorb(&read("1. f5 {mine} f6! 2. e6 d6 {calmer} (2... f4 {better})"));
        let of = |ply: usize| known.remarks.of(ply).unwrap();
        assert_eq!(
            (&of(1).comments[..], &of(4).comments[..]),
            (&["mine".into()][..], &["calmer".into()][..])
        );
        assert_eq!(of(4).variations[0].moves[0].square.to_string(), "d6");
    }
}

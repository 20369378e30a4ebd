//! All positions that games share, layer by layer: for questions about all of them at once.

use super::database::GameDatabase;
use super::loaded::{Keys, Visit};
use crate::othello::board::Key;
use crate::store::StoreError;

impl GameDatabase<'_> {
    /// Gives the positions with so many discs that two games or more came through and went on from,
    /// and what all of them played there. Some that one game came through are among them.
    pub(in crate::app) fn for_each_shared(
        &self,
        discs: u8,
        mut each: impl FnMut(Key, &[Visit]),
    ) -> Result<(), StoreError> {
        let mut new: Keys =
            self.recent().keys().filter(|key| key.discs() == discs).copied().collect();
        let recent = |key: &Key| self.recent().get(key).into_iter().flatten().copied();
        let mut visits: Vec<Visit> = Vec::new();
        let mut at = None;
        self.book().games().for_each_played_move(discs, |key, square, list| {
            if let Some(before) = at.replace(key).filter(|&before| before != key) {
                new.remove(&before);
                visits.extend(recent(&before));
                each(before, &visits);
                visits.clear();
            }
            list.for_each(|entry| visits.push(Visit { entry, square }));
        })?;
        if let Some(last) = at {
            new.remove(&last);
            visits.extend(recent(&last));
            each(last, &visits);
        }
        if new.is_empty() {
            return Ok(());
        }
        let mut lone = self.unindexed(discs, &new)?;
        let mut new: Vec<Key> = new.into_iter().collect();
        new.sort_unstable();
        lone.sort_by_key(|&(key, _)| key);
        for key in new {
            visits.clear();
            let first = lone.partition_point(|&(known, _)| known < key);
            let own = lone.iter().skip(first).take_while(|&&(known, _)| known == key);
            visits.extend(own.map(|&(_, visit)| visit));
            visits.extend(recent(&key));
            each(key, &visits);
        }
        Ok(())
    }
}

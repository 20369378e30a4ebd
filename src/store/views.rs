//! The families of tables beside the nodes, each with a view that asks for it and, where single rows are kept, one
//! that changes it. The nodes are what [`Reader`] and [`Book`] themselves ask for and change.

use super::{Book, Reader};

macro_rules! views {
    ($($doc:literal $family:ident: $view:ident $($change:ident)?;)*) => {
        $(
            #[doc = $doc]
            #[derive(Clone, Copy, Debug)]
            pub struct $view<'r> {
                pub(super) reader: &'r Reader,
            }

            $(
                #[doc = $doc]
                #[derive(Debug)]
                pub struct $change<'b> {
                    pub(super) book: &'b mut Book,
                }

                impl Book {
                    #[doc = $doc]
                    pub const fn $family(&mut self) -> $change<'_> {
                        $change { book: self }
                    }
                }
            )?
        )*

        impl Reader {
            $(
                #[doc = $doc]
                pub const fn $family(&self) -> $view<'_> {
                    $view { reader: self }
                }
            )*
        }
    };
}

views! {
    "Games and where they came from; [`super::GameStore`] keeps them."
    games: Games;
    "What others have proven of positions, and what nodes are known to be worth from that."
    facts: Facts FactsMut;
    "What moves of positions are worth, found when games were analyzed."
    analyses: Analyses AnalysesMut;
    "How values moved while the book grew: its checkpoints."
    history: History HistoryMut;
    "What a fleet needs to remember: positions that no worker could search, and which worker found what."
    fleet: Fleet FleetMut;
    "Imported files as they were, for exporting what has not changed since."
    originals: Originals OriginalsMut;
    "What was done to the book, so that it can be taken back."
    undo_log: UndoChanges UndoChangesMut;
}

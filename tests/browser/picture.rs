//! The picture of the explorer in README: `picture.sh` makes it.

use std::path::PathBuf;

use crate::page::{Page, Screen, visit};
use crate::server::Server;

#[test]
#[ignore = "makes a file: picture.sh runs it with a book"]
fn the_picture_of_readme() {
    let path = |name: &str| PathBuf::from(std::env::var_os(name).expect(name));
    let server = Server::of(path("ROSEBILL_BOOK"));
    let pictures = [
        ("opening.png", 1400, "?line=f5d6c3d3c4f4c5b3c2&panel=lines", 9, ".in-lines li"),
        ("explorer.png", 1280, "?line=f5d6c3d3c4f4c5b3", 8, "a.game"),
    ];
    for (name, width, address, moves, shown) in pictures {
        let screen = Screen { width, height: 940, ..Screen::WIDE };
        visit(&server.address, screen, async |page: &Page| {
            page.go(address).await;
            page.board_after(moves).await;
            page.find(shown).await;
            let file = path("ROSEBILL_PICTURES").join(name);
            std::fs::write(file, page.picture().await).unwrap();
        });
    }
}

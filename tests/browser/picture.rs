//! The picture of the explorer in README: `picture.sh` makes it.

use std::path::PathBuf;

use crate::page::{Page, Screen, visit};
use crate::server::Server;

#[test]
#[ignore = "makes a file: picture.sh runs it with a book"]
fn the_picture_of_readme() {
    let path = |name: &str| PathBuf::from(std::env::var_os(name).expect(name));
    let server = Server::of(path("ROSEBILL_BOOK"));
    let screen = Screen { height: 940, ..Screen::WIDE };
    visit(&server.address, screen, async |page: &Page| {
        page.go("?line=f5d6c3d3c4f4f6f3").await;
        page.board_after(8).await;
        page.find("a.game").await;
        std::fs::write(path("ROSEBILL_PICTURE"), page.picture().await).unwrap();
    });
}

#!/usr/bin/env bash
# Makes the pictures of the explorer that README shows, from a book with games:
#     tests/browser/picture.sh BOOK
# Needs chromium, its driver and pngquant.
set -euo pipefail
cd "$(dirname "$0")/../.."
ROSEBILL_BOOK=$(realpath "${1:?which book?}")
ROSEBILL_PICTURES=$(mktemp -d)
export ROSEBILL_BOOK ROSEBILL_PICTURES
trap 'rm -rf "$ROSEBILL_PICTURES"' EXIT
cargo test --quiet --test browser -- --ignored the_picture_of_readme
for picture in .pictures/explorer.png:opening.png tests/browser/explorer.png:explorer.png; do
    taken=$ROSEBILL_PICTURES/${picture#*:} picture=${picture%:*}
    pngquant --force --strip --speed 1 --output "$picture" 128 "$taken"
    size=$(stat -c %s "$picture")
    [ "$size" -lt 200000 ] || { echo "$picture has $size bytes: expected fewer than 200000" >&2; exit 1; }
    echo "$picture: $size bytes"
done

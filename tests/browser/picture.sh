#!/usr/bin/env bash
# Makes the picture of the explorer that README shows, from a book with games:
#     tests/browser/picture.sh BOOK
# Needs chromium, its driver and pngquant.
set -euo pipefail
cd "$(dirname "$0")/../.."
ROSEBILL_BOOK=$(realpath "${1:?which book?}")
ROSEBILL_PICTURE=$(mktemp --suffix .png)
export ROSEBILL_BOOK ROSEBILL_PICTURE
trap 'rm -f "$ROSEBILL_PICTURE"' EXIT
cargo test --quiet --test browser -- --ignored the_picture_of_readme
picture=tests/browser/explorer.png
pngquant --force --strip --speed 1 --output "$picture" 128 "$ROSEBILL_PICTURE"
size=$(stat -c %s "$picture")
[ "$size" -lt 200000 ] || { echo "$picture has $size bytes: expected fewer than 200000" >&2; exit 1; }
echo "$picture: $size bytes"

#!/bin/sh
# Fills fuzz/corpus from a folder of real book files: each small one as it is, of each large one
# the start. Edax, NTest, Zebra, Egaroucid, JSON Lines, our snapshots, weights and small books of ours are
# told by their endings.
#
#     fuzz/seeds.sh FOLDER
set -eu
[ $# = 1 ] || { echo "usage: fuzz/seeds.sh FOLDER-OF-REAL-BOOKS" >&2; exit 2; }
corpus=$(dirname "$0")/corpus
seed() { # TARGET FILE
    for target in "$1" import; do
        mkdir -p "$corpus/$target"
        head -c 20000 "$2" > "$corpus/$target/$(basename "$2")"
    done
}
for file in $(find "$1" -type f); do
    case $file in
        *.dat) seed edax "$file" ;;
        *.book) seed ntest "$file" ;;
        *.egbk3 | *.egbk2 | *.egbk) seed egaroucid "$file" ;;
        *.bin) seed zebra_bin "$file" ;;
        *.cmp) seed zebra_cmp "$file" ;;
        *.cmp.z) seed zebra_cmp_z "$file" ;;
        *.weights) mkdir -p "$corpus/weights" && cp "$file" "$corpus/weights" ;;
        *.db)
            # A part of a book would be pages of nothing but its schema.
            if [ "$(wc -c < "$file")" -le 400000 ]; then
                mkdir -p "$corpus/salvage" && cp "$file" "$corpus/salvage"
            fi ;;
        *.snapshot) seed snapshot "$file" ;;
        *.jsonl) seed json "$file" ;;
        *.txt)
            case $(head -c 9 "$file" | tr '\n' ' ') in
                "2718 2818") seed zebra_text "$file" ;;
                *) seed edax_text "$file" ;;
            esac ;;
    esac
done
ls "$corpus" | sed 's/^/filled corpus of /'

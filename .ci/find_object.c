/* The unwinder of a gcc that was made for glibc asks glibc where a function's unwind table is. Without
 * glibc this answers: a program that is linked statically has one table, which its headers name. With no
 * answer every panic, and every error with RUST_BACKTRACE=1, would abort the program.
 *
 * The struct is that of glibc's <dlfcn.h> on x86_64. */
#define _GNU_SOURCE
#include <link.h>
#include <stddef.h>

struct dl_find_object {
    unsigned long long flags;
    void *map_start, *map_end;
    struct link_map *link_map;
    void *eh_frame;
    unsigned long long reserved[7];
};

struct question {
    ElfW(Addr) at;
    struct dl_find_object *answer;
};

static int in_object(struct dl_phdr_info *object, size_t size, void *given) {
    struct question *question = given;
    ElfW(Addr) table = 0, start = 0, end = 0;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        ElfW(Addr) from = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_GNU_EH_FRAME) {
            table = from;
        } else if (part->p_type == PT_LOAD && question->at - from < part->p_memsz) {
            start = from;
            end = from + part->p_memsz;
        }
    }
    if (table == 0 || end == 0) {
        return 0;
    }
    *question->answer = (struct dl_find_object){
        .map_start = (void *)start, .map_end = (void *)end, .eh_frame = (void *)table};
    return 1;
}

int _dl_find_object(void *at, struct dl_find_object *answer) {
    struct question question = {(ElfW(Addr))at, answer};
    return dl_iterate_phdr(in_object, &question) == 1 ? 0 : -1;
}

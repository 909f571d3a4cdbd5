/* SPDX-License-Identifier: MIT */
#include "experiment/store/key.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/fingerprint.h"
#include "common/json_text.h"
#include "common/text.h"
#include "data/decimal.h"
#include "experiment/store/parts.h"
#include "posse_kinds.h"

/* The file is read piece by piece, because programs may be large, and want of memory must not change the hash. */
uint64_t key_file(uint64_t before, const char *path) {
    char bytes[1 << 16];
    FILE *in = fopen(path, "rb");
    uint64_t hash = before;
    for (size_t count; in != NULL && (count = fread(bytes, 1, sizeof bytes, in)) > 0;)
        hash = fingerprint_memory(hash, bytes, count);
    if (in != NULL) fclose(in);
    return hash;
}

static void add_files(posse_family family, const posse_part *part, uint64_t *hash);

static void add_files_of(const posse_param *params, const posse_part *part, uint64_t *hash) {
    for (const posse_param *p = params; p != NULL && p->name != NULL; p++) {
        const posse_option *o = posse_part_option(part, p->name);
        size_t parts = o == NULL || o->part == NULL ? 0 : o->list != NULL ? o->count : 1;
        if (o != NULL && p->flags & POSSE_PARAM_PATH) *hash = key_file(*hash, o->word);
        for (size_t i = 0; i < parts; i++) add_files(POSSE_FAMILY_BELIEF, &o->part[i], hash);
    }
}

static void add_files(posse_family family, const posse_part *part, uint64_t *hash) {
    add_files_of(posse_kind_params(family, posse_kind_find(family, part->kind)), part, hash);
    add_files_of(posse_family_params(family), part, hash);
}

uint64_t key_data(const experiment *e) {
    uint64_t hash = 0;
    add_files(POSSE_FAMILY_ENVIRONMENT, &e->environment, &hash);
    for (int i = 0; i < e->learner_count; i++) add_files(POSSE_FAMILY_LEARNER, &e->learners[i], &hash);
    for (int i = 0; i < e->selector_count; i++) add_files(POSSE_FAMILY_SELECTOR, &e->selectors[i], &hash);
    return hash;
}

/* The fingerprint of all that results depend on, except data, rounds, runs and seed. */
static bool hash_experiment(const experiment *e, uint64_t *hash) {
    json_t *tree = parts_json(e), *claims = json_array();
    for (int i = 0; i < e->claim_count; i++) json_array_append_new(claims, json_string(e->claims[i].holds));
    json_t *rest = json_pack("{s:b, s:o, s:i}", "solo", e->solo, "claims", claims, "tasks", (int)e->tasks);
    bool ok = tree != NULL && rest != NULL && json_object_update(tree, rest) == 0;
    char *text = ok ? json_text_dump(tree, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    if (text != NULL) *hash = fingerprint_memory(FINGERPRINT_START, text, strlen(text));
    free(text);
    json_decref(rest);
    json_decref(tree);
    return text != NULL;
}

/*
 * The hash of the file that this code was loaded from: the program, or the module of Python, whose process is Python's.
 * The program itself is read through /proc/self/exe, which stays readable if the file is replaced meanwhile.
 */
static uint64_t hash_build(void) {
    uint64_t here = (uintptr_t)key_make, first, last;
    char line[PATH_MAX + 200], own[PATH_MAX] = "", path[PATH_MAX] = "";
    FILE *maps = fopen("/proc/self/maps", "r");
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    while (maps != NULL && path[0] == '\0' && fgets(line, sizeof line, maps) != NULL) {
        const char *slash = strchr(line, '/');
        size_t digits = text_read_hex(line, &first);
        bool range = digits > 0 && line[digits] == '-' && text_read_hex(line + digits + 1, &last) > 0;
        bool inside = range && here >= first && here < last;
        if (inside && slash != NULL) snprintf(path, sizeof path, "%.*s", (int)strcspn(slash, "\n"), slash);
    }
    if (maps != NULL) fclose(maps);
    bool other = path[0] != '\0' && length > 0 && strcmp(path, own) != 0;
    return key_file(FINGERPRINT_START, other ? path : "/proc/self/exe");
}

/* Each line has a word and a value; the words are those of the table below. */
char *key_make(const experiment *e, uint64_t plugins) {
    uint64_t parts;
    if (!hash_experiment(e, &parts)) return NULL;
    return text_format("version %s\nbuild %016" PRIx64 "\nplugins %016" PRIx64 "\nexperiment %016" PRIx64
                       "\ndata %016" PRIx64 "\nrounds %" PRIu64 "\nruns %" PRIu32 "\nseed %" PRIu64 "\n",
                       posse_version(), hash_build(), plugins, parts, key_data(e), e->rounds, e->runs, e->seed);
}

static const struct {
    const char *word, *difference;
} lines[] = {
    {"version", "another version of posse"},
    {"build", "another build of posse"},
    {"plugins", "other plugins"},
    {"experiment", "another experiment"},
    {"data", "other data"},
    {"rounds", "another number of rounds"},
    {"runs", "another number of runs"},
    {"seed", "another seed"},
};

const char *key_difference(const char *key, const char *other) {
    size_t line;
    while (*key != '\0' && strncmp(key, other, line = strcspn(key, "\n") + 1) == 0) key += line, other += line;
    if (*key == '\0' && *other == '\0') return NULL;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (strncmp(key, lines[i].word, strlen(lines[i].word)) == 0) return lines[i].difference;
    return "something else";
}

bool key_extends(const char *key, const char *other, uint32_t *runs) {
    bool differ = false;
    while (*key != '\0' && *other != '\0') {
        size_t line = strcspn(key, "\n") + 1, other_line = strcspn(other, "\n") + 1;
        if (line != other_line || strncmp(key, other, line) != 0) {
            if (strncmp(key, "runs ", 5) != 0 || strncmp(other, "runs ", 5) != 0) return false;
            uint64_t number;
            if (decimal_read_whole(other + 5, &number) == 0) return false;
            *runs = (uint32_t)number;
            differ = true;
        }
        key += line, other += other_line;
    }
    return differ && *key == '\0' && *other == '\0';
}

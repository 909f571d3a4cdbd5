/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the readers of features by name. The first line of an input is the feature map of a description, and the rest
 * is a round. A map that is taken has a definition that makes the same posse. A round that is taken can be decided, by
 * the posse and by its saved form alike, and one that is refused leaves no decision.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/definition_text.h"
#include "posse_features.h"
#include "posse_inside.h"
#include "served/context.h"
#include "served/description.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

/* A posse with a description; NULL: it is refused, with a problem if the reader did it. */
static posse *described(const char *text, size_t length) {
    problems found;
    description d;
    posse *p = NULL;
    problems_open(&found, NULL);
    pool *memory = pool_create(NULL);
    bool fine = description_read(text, length, memory, &found, &d);
    expect(fine == (found.count == 0), "it is taken with problems, or refused without a word");
    if (fine) posse_create(&d.def, &p);
    pool_free(memory);
    problems_close(&found);
    return p;
}

static posse *with_map(const char *map, size_t length) {
    static const char before[] =
        "{\"name\": \"shop\", \"arms\": [\"red\", \"blue\", \"green\"], \"dim\": 8, \"prior\": "
        "\"linear\", \"learners\": [\"linear-ucb\", \"linear-thompson\"], \"features\": ";
    char *text = malloc(sizeof before + length);
    if (text == NULL) return NULL;
    memcpy(text, before, sizeof before - 1);
    memcpy(text + sizeof before - 1, map, length);
    text[sizeof before - 1 + length] = '}';
    posse *p = described(text, sizeof before + length);
    free(text);
    return p;
}

static void check_definition(const posse *p) {
    char *text = definition_text(p, &(definition_served){.name = "shop"});
    expect(text != NULL, "it has no definition");
    posse *twin = described(text, strlen(text));
    expect(twin != NULL, "its definition makes no posse");
    char *again = definition_text(twin, &(definition_served){.name = "shop"});
    expect(again != NULL && strcmp(text, again) == 0, "its definition makes another posse");
    posse_free(twin);
    free(text);
    free(again);
}

/* The arms of a round, where none joins. */
typedef struct namer {
    arm_finder finder; /* must be first */
    const posse *p;
    problems *found;
} namer;

static bool find_arm(arm_finder *finder, const char *name, const trail *where, int *arm) {
    const namer *n = (const namer *)finder;
    *arm = posse_arm_find(n->p, name);
    char path[TRAIL_TEXT];
    if (*arm < 0) problem_at(n->found, (location){.below = trail_text(where, path)}, "there is no arm");
    return *arm >= 0;
}

static posse *loaded(const posse *p) {
    size_t length = 0;
    posse *twin = NULL;
    posse_save(p, NULL, &length);
    char *bytes = malloc(length);
    expect(bytes != NULL && posse_save(p, bytes, &length) == POSSE_OK, "it cannot be saved");
    expect(posse_load(bytes, length, NULL, &twin) == POSSE_OK, "it cannot be loaded");
    free(bytes);
    return twin;
}

static void decide_in(posse *p, const posse_context *round) {
    posse_context numbers;
    posse_decision one, other;
    bool taken = posse_named_numbers(p, round, &numbers) == POSSE_OK;
    posse *twin = loaded(p);
    expect((posse_decide(p, round, &one) == POSSE_OK) == taken, "its numbers and its decision disagree");
    expect((posse_decide(twin, round, &other) == POSSE_OK) == taken, "the loaded posse disagrees");
    expect(!taken || one.arm == other.arm, "the loaded posse decides otherwise");
    expect(posse_decision_count(p) == (taken ? 1u : 0u), "a refused round is a decision");
    expect(!taken || posse_learn(p, one.id, 1.0) == POSSE_OK, "it cannot learn");
    posse_free(twin);
}

static void read_round(posse *p, const char *text, size_t length) {
    json_t *source = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    problems found;
    posse_context round;
    problems_open(&found, NULL);
    pool *memory = pool_create(NULL);
    namer n = {{.find = find_arm}, p, &found};
    if (source != NULL) {
        bool fine = context_read(source, p, &n.finder, memory, &found, &round);
        expect(fine == (found.count == 0), "a round is taken with problems, or refused without a word");
        if (fine) decide_in(p, &round);
    }
    json_decref(source);
    pool_free(memory);
    problems_close(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *line = size > 0 ? memchr(data, '\n', size) : NULL;
    size_t first = line != NULL ? (size_t)(line - data) : size;
    char *text = malloc(size > 0 ? size : 1); /* of the exact size, so that a sanitizer notices reads behind it */
    if (text == NULL) return 0;
    if (size > 0) memcpy(text, data, size);
    posse *p = with_map(text, first);
    if (p != NULL) check_definition(p);
    if (p != NULL && posse_takes_names(p) && line != NULL) read_round(p, text + first + 1, size - first - 1);
    posse_free(p);
    free(text);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes posse_load_exact with bytes that anyone may have written. The input is the body of a saved posse, in formats
 * 2, 3 and 5. A header with the right length and checksum is put in front of it, so that the bytes are read and not
 * rejected by the checksum. A posse that loads must work: decide, learn, be looked at, grow, and be saved. The seeds
 * are written by test_saving; see fuzz_seeds_are_saved_posses there.
 */
#include <stdlib.h>
#include <string.h>

#include "object/bytes.h"
#include "object/object.h"
#include "purse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEADER 32

/* Bytes that a posse may use, so that a forged number of arms does not exhaust the memory of the machine. */
#define MEMORY_MOST ((size_t)64 << 20)

static uint8_t *with_header(uint8_t format, const uint8_t *data, size_t size) {
    const uint8_t magic[] = {'p', 'o', 's', 's', 'e', '\r', 0x1a, '\n', format, 0, 0, 0, 0, 0, 0, 0};
    uint8_t *bytes = malloc(HEADER + size);
    if (bytes == NULL) abort();
    memcpy(bytes, magic, sizeof magic);
    if (size > 0) memcpy(bytes + HEADER, data, size);
    writer w = {bytes + sizeof magic, 0};
    write_word(&w, size);
    write_word(&w, saved_checksum(format, bytes + HEADER, size));
    return bytes;
}

/* Reads into blocks of exactly the documented size, so that a sanitizer notices writes behind them. */
static void look_inside(const posse *p) {
    size_t count = (size_t)posse_learner_count(p);
    size_t numbers = (size_t)(p->space->arms > 0 ? p->space->arms : p->space->dim);
    uint64_t *plays = malloc(count * sizeof *plays);
    double *potentials = malloc(count * sizeof *potentials), *means = malloc(numbers * sizeof *means);
    if (plays == NULL || potentials == NULL || means == NULL) abort();
    posse_plays(p, plays);
    posse_potentials(p, potentials);
    posse_means(p, NULL, means);
    free(plays);
    free(potentials);
    free(means);
}

/* A decision must be as posse.h promises. */
static void check(const posse *p, const posse_decision *d) {
    if (!posse_learner_active(p, d->learner)) abort();
    if (p->space->arms > 0 ? !posse_arm_active(p, d->arm) : d->arm != -1) abort();
    if (!(d->probability > 0.0 && d->probability <= 1.0)) abort();
}

static void change_arms(posse *p) {
    double *point = calloc((size_t)p->space->dim + 1, sizeof *point);
    if (point == NULL) abort();
    posse_arm_add(p, p->space->dim > 0 ? point : NULL, NULL);
    posse_arm_retire(p, 0);
    free(point);
}

/* With features, every other round offers the first active arm only. */
static posse_error decide(posse *p, int round, posse_decision *d) {
    size_t width = (size_t)posse_feature_count(p), arms = (size_t)posse_arm_count(p);
    if (width == 0) return posse_decide(p, NULL, d);
    size_t shared = (size_t)posse_shared_feature_count(p), own = width - shared;
    double *numbers = calloc(shared + arms * own, sizeof *numbers);
    if (numbers == NULL) abort();
    for (size_t i = 0; i < shared + arms * own; i++) numbers[i] = 0.25 * (double)((i + (size_t)round) % 7);
    int first = 0;
    while (first < (int)arms && !posse_arm_active(p, first)) first++;
    posse_context c = {.shared = shared > 0 ? numbers : NULL, .points = own > 0 ? numbers + shared : NULL};
    if (round % 2 == 1) c.count = 1, c.arms = &first;
    posse_error error = posse_decide(p, &c, d);
    free(numbers);
    return error;
}

static void live(posse *p) {
    posse_decision d;
    look_inside(p);
    for (int n = 0; n < 12; n++) {
        if (decide(p, n, &d) != POSSE_OK) continue;
        check(p, &d);
        if (n % 4 != 3) posse_learn(p, d.id, 0.25 * (double)(n % 5));
    }
    posse_forget(p, d.id);
    for (int i = 0; i < posse_learner_count(p); i++) {
        if (!posse_learner_active(p, i)) continue;
        posse_part again = recipe_part(p->members[i].recipe);
        again.name = NULL;
        posse_learner_add(p, &again, NULL);
        posse_learner_retire(p, i);
        break;
    }
    change_arms(p);
    if (decide(p, 0, &d) == POSSE_OK) check(p, &d);
    look_inside(p);
}

static void save(const posse *p) {
    size_t length = 0;
    posse_save(p, NULL, &length);
    uint8_t *bytes = malloc(length);
    if (bytes == NULL || posse_save(p, bytes, &length) != POSSE_OK) abort();
    free(bytes);
}

static void try_format(uint8_t format, const uint8_t *data, size_t size) {
    purse memory = {.limit = MEMORY_MOST};
    const posse_host host = purse_host(&memory);
    uint8_t *bytes = with_header(format, data, size);
    posse *p;
    if (posse_load_exact(bytes, HEADER + size, &host, &p) == POSSE_OK) {
        live(p);
        save(p);
    }
    posse_free(p);
    free(bytes);
    if (memory.bytes != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint8_t formats[] = {2, 3, 5};
    for (size_t i = 0; i < sizeof formats; i++) try_format(formats[i], data, size);
    return 0;
}

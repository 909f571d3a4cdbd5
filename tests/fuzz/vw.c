/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the reader of Vowpal Wabbit's logs. Whatever the bytes, it returns a log in which every row is valid, or a
 * problem with a place in the text.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/vw.h"

static void expect(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void look_at_row(const logbook *book, size_t i) {
    const logbook_row *row = &book->row[i];
    const int *arms = logbook_arms(book, i);
    bool played = false;
    expect(row->count >= 1 && row->count <= book->arms, "a number of arms that cannot be");
    for (int k = 0; k < row->count; k++) {
        expect(arms[k] >= 0 && arms[k] < book->arms && (k == 0 || arms[k] > arms[k - 1]), "arms that do not rise");
        played = played || arms[k] == row->arm;
    }
    expect(played && isfinite(row->reward) && row->probability >= book->least_probability && row->probability <= 1.0,
           "an arm, a reward or a probability that cannot be");
    size_t numbers = (size_t)book->width * (book->own ? (size_t)row->count : 1);
    if (numbers > 1u << 20) return;
    double *features = malloc(numbers * sizeof *features);
    if (features == NULL) return;
    logbook_features(book, i, features);
    for (size_t j = 0; j < numbers; j++) expect(isfinite(features[j]), "a feature that cannot be");
    free(features);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    arena memory = {0};
    logbook book;
    data_problem problem = {0};
    posse_error error = vw_read((const char *)data, size, &memory, &book, &problem);
    expect(error == POSSE_OK || error == POSSE_ERROR_MEMORY || problem.line > 0, "a problem without a place");
    for (size_t i = 0; error == POSSE_OK && i < book.rows; i++) look_at_row(&book, i);
    arena_release(&memory);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Who wins where: a table of selectors, matched by name, over experiments. Selectors whose learners share what they
 * learn have more data than the others. So they are a group of their own, and a selector is judged against the best of
 * its group.
 */
#ifndef REPORT_DATA_COMPARISON_H
#define REPORT_DATA_COMPARISON_H

#include "report/data/dossier.h"

typedef enum comparison_verdict {
    COMPARISON_BEST,    /* the smallest mean regret */
    COMPARISON_TIED,    /* the paired 95% interval of its difference from the best includes 0 */
    COMPARISON_LOSES,   /* that interval does not include 0 */
    COMPARISON_UNKNOWN, /* there is no such interval: a single run, or the pair is missing */
} comparison_verdict;

extern const char *const comparison_verdicts[]; /* in words */

typedef struct comparison_cell {
    const dossier_competitor *who; /* NULL: the selector is not in this experiment */
    const dossier_competitor *best;
    dossier_value difference; /* its regret minus that of the best, paired run by run */
    comparison_verdict verdict;
} comparison_cell;

static inline bool comparison_wins(const comparison_cell *cell) {
    return cell->verdict == COMPARISON_BEST || cell->verdict == COMPARISON_TIED;
}

typedef struct comparison_row {
    const char *name, *kind;
    bool shares;
    size_t wins, met; /* experiments in which it is best or tied; experiments that have it */
} comparison_row;

typedef struct comparison {
    const dossier **experiments; /* there may be none */
    size_t experiment_count;
    comparison_row *rows; /* selectors whose learners share come last */
    size_t row_count;
    comparison_cell *cells; /* rows x experiments */
} comparison;

/*
 * Compares the experiments that have three selectors or more, in the memory of a pool. The dossiers must outlive it.
 * False: no memory.
 */
bool comparison_make(comparison *c, const dossier *const *dossiers, size_t count, pool *memory);

static inline const comparison_cell *comparison_at(const comparison *c, size_t row, size_t experiment) {
    return &c->cells[row * c->experiment_count + experiment];
}

/* Writes comparison.csv. Returns false if that failed, after a message with the reason. */
bool comparison_write(const comparison *c, const char *directory, FILE *messages);

#endif

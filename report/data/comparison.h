/*
 * Who wins where: selectors, matched by name, over experiments. Those whose learners share what they learn know more
 * than the others, so that there are two groups, and each selector is judged against the best of its own.
 */
#ifndef REPORT_DATA_COMPARISON_H
#define REPORT_DATA_COMPARISON_H

#include "report/data/record.h"

typedef enum comparison_verdict {
    COMPARISON_BEST,    /* the smallest mean regret */
    COMPARISON_TIED,    /* the paired 95% interval of its difference from the best includes 0 */
    COMPARISON_LOSES,   /* it does not */
    COMPARISON_UNKNOWN, /* there is no such interval: a single run, or the pair is missing */
} comparison_verdict;

extern const char *const comparison_verdicts[]; /* in words */

typedef struct comparison_cell {
    const record_competitor *who; /* NULL: it is not in this experiment */
    const record_competitor *best;
    record_value difference; /* regret minus that of the best, run by run */
    comparison_verdict verdict;
} comparison_cell;

static inline bool comparison_wins(const comparison_cell *cell) {
    return cell->verdict == COMPARISON_BEST || cell->verdict == COMPARISON_TIED;
}

typedef struct comparison_row {
    const char *name, *kind;
    bool shares;
    size_t wins, met; /* experiments where it is best or tied; where it is at all */
} comparison_row;

typedef struct comparison {
    const record **experiments;
    size_t experiment_count;
    comparison_row *rows; /* those that share come last */
    size_t row_count;
    comparison_cell *cells; /* rows x experiments */
} comparison;

/* Over the experiments with three selectors or more; NULL where there is none. The records are to outlive it. */
comparison *comparison_make(const record *const *records, size_t count);
void comparison_free(comparison *c);

static inline const comparison_cell *comparison_at(const comparison *c, size_t row, size_t experiment) {
    return &c->cells[row * c->experiment_count + experiment];
}

/* comparison.csv. Returns false if it could not be written. */
bool comparison_write(const comparison *c, const char *directory, FILE *messages);

#endif

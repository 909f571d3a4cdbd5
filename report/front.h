/*
 * The front page: one over several experiments.
 */
#ifndef REPORT_FRONT_H
#define REPORT_FRONT_H

#include "report/comparison.h"
#include "report/scaling.h"

/*
 * DIRECTORY/index.html over experiments whose results are in DIRECTORY/<their folder>; `c` may be NULL. It links to the
 * pages and pictures that are there when it is made.
 */
bool front_make(const record *const *records, const char *const *folders, size_t count, const comparison *c,
                const scaling *s, const char *directory, FILE *messages);

#endif

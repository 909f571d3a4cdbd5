/*
 * The front page: one over several experiments.
 */
#ifndef REPORT_PAGE_FRONT_H
#define REPORT_PAGE_FRONT_H

#include "report/data/comparison.h"
#include "report/data/scaling.h"

/*
 * DIRECTORY/index.html over experiments whose results are in DIRECTORY/<their folder>; `c` may be NULL. It links to the
 * pages and pictures that are there when it is made.
 */
bool front_make(const record *const *records, const char *const *folders, size_t count, const comparison *c,
                const scaling *s, const char *directory, FILE *messages);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The front page: one page over several experiments.
 */
#ifndef REPORT_PAGE_FRONT_H
#define REPORT_PAGE_FRONT_H

#include "report/data/comparison.h"
#include "report/data/scaling.h"

/*
 * Writes DIRECTORY/index.html over experiments whose results are in DIRECTORY/folders[i]. The page links to those
 * pages and pictures that exist when it is made. Returns false if it could not be written.
 */
bool front_make(const dossier *const *dossiers, const char *const *folders, size_t count, const comparison *c,
                const scaling *s, const char *directory, pool *memory, FILE *messages);

#endif

/*
 * The pages: one per experiment, and one over several.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/record.h"

bool page_make(const record *r, const char *directory, FILE *messages);

/* The front page over experiments whose own pages are in DIRECTORY/<their folder>. */
bool page_front(const record *const *records, const char *const *folders, size_t count, const char *directory,
                FILE *messages);

#endif

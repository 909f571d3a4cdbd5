/* SPDX-License-Identifier: MIT */
/*
 * The page of a fitted prior: data and draws beside each other.
 */
#ifndef REPORT_PAGE_PRIOR_H
#define REPORT_PAGE_PRIOR_H

#include <stdbool.h>

#include "report/report.h"

/* Writes DIRECTORY/FILE. Returns false if it could not be written. */
bool prior_make(const report_prior *prior, const char *directory, const char *file, FILE *messages);

#endif

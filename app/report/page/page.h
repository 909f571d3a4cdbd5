/* SPDX-License-Identifier: MIT */
/*
 * The page of an experiment.
 */
#ifndef REPORT_PAGE_PAGE_H
#define REPORT_PAGE_PAGE_H

#include "report/chart/chart.h"

/* Writes DIRECTORY/index.html. Returns false if it could not be written. */
bool page_make(const dossier *r, const charts *all, const char *directory, FILE *messages);

#endif

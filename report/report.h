/*
 * Pictures and pages from result files alone.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

enum {
    REPORT_DONE = 0,
    REPORT_WRONG = 2,      /* a result file is missing or wrong; where and what was said */
    REPORT_UNFINISHED = 3, /* something could not be written */
};

/* regret, optimal and selection as .svg, .png and .pdf, and index.html, in the directory of an experiment's results. */
int report_make(const char *directory, FILE *messages);

/* DIRECTORY/index.html over the experiments in DIRECTORY/names[i]. */
int report_front(const char *directory, const char *const *names, int count, FILE *messages);

#endif

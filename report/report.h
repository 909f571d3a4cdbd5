/* SPDX-License-Identifier: MIT */
/*
 * The report: pictures and pages, made from result files alone. data/ reads the files and computes from them, draw/
 * makes pictures of that, page/ makes pages; each knows only those named before it.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

enum {
    REPORT_DONE = 0,
    REPORT_WRONG = 2,      /* a result file is missing or wrong, and a message has said which and why */
    REPORT_UNFINISHED = 3, /* something could not be written */
};

/* Makes regret, optimal and selection as .svg, .png and .pdf, and index.html, beside an experiment's result files. */
int report_make(const char *directory, FILE *messages);

/* Makes DIRECTORY/index.html over the experiments in DIRECTORY/names[i], and its tables and pictures. */
int report_front(const char *directory, const char *const *names, int count, FILE *messages);

#endif

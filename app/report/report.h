/* SPDX-License-Identifier: MIT */
/*
 * The report: pictures and pages, made from result files alone. data/ reads the files and computes from them, chart/
 * describes charts of that, draw/ makes pictures of charts, page/ makes pages; each includes only the folders named
 * before it.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdio.h>

enum {
    REPORT_DONE = 0,
    REPORT_WRONG = 2,      /* a result file is missing or wrong; a message has the file and the reason */
    REPORT_UNFINISHED = 3, /* something could not be written, or there was no memory */
};

/* Makes the pictures of an experiment (draw/picture.h) and index.html, beside its result files. */
int report_make(const char *directory, FILE *messages);

/* Makes DIRECTORY/index.html over the experiments in DIRECTORY/names[i], and its tables and pictures. */
int report_front(const char *directory, const char *const *names, int count, FILE *messages);

/* What the page of a fitted prior shows. Tables have a row for each instance, with a number for each arm. */
typedef struct report_prior {
    const char *title, *facts; /* what the prior is, in a sentence */
    const char *const *arms;
    size_t arm_count;
    const double *data, *draws; /* NaN: missing */
    size_t data_count, draw_count;
    bool noisy;                   /* the data are averages of rewards, not means */
    const char *size_name;        /* of the candidates: "components" or "kernel" */
    const double *sizes, *scores; /* of the candidates */
    size_t candidate_count;
    double chosen; /* among the sizes */
} report_prior;

/* Makes the page DIRECTORY/FILE of a prior. */
int report_prior_make(const report_prior *prior, const char *directory, const char *file, FILE *messages);

#endif

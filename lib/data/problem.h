/* SPDX-License-Identifier: MIT */
/*
 * What is wrong with a file of data, and where.
 */
#ifndef POSSE_DATA_PROBLEM_H
#define POSSE_DATA_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

typedef struct data_problem {
    size_t line, column; /* from 1; the column is in characters */
    char text[240];
} data_problem;

/* Notes a problem at a byte of a text. Always returns false, for the caller to return. */
__attribute__((format(printf, 4, 5))) bool data_refuse(data_problem *problem, const char *text, const char *at,
                                                       const char *format, ...);

#endif

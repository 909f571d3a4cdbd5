/* SPDX-License-Identifier: MIT */
/*
 * A log as a file: CSV with a row for each round, or Vowpal Wabbit's format (vw.h). In CSV every arm is available in
 * every round, and features are one vector for all of them. Arms are the labels in their column: whole numbers by size,
 * then other texts in the order of their bytes.
 */
#ifndef POSSE_DATA_LOG_FILE_H
#define POSSE_DATA_LOG_FILE_H

#include "data/logbook.h"

typedef enum log_format { LOG_BY_NAME, LOG_CSV, LOG_VW } log_format;

/* The columns of a CSV file by their names. */
typedef struct log_columns {
    const char *arm, *reward, *probability;
    const char *features; /* with commas between them; x* stands for all other columns that begin with x. NULL: none,
                             and there is one feature, which is 1 */
} log_columns;

/* What is wrong, "FILE:LINE:COLUMN: what is wrong". */
typedef struct log_problem {
    const char *about; /* "file", or the name of the field in log_columns that names no column */
    char text[600];
} log_problem;

/* The format of a file: the given one or, with LOG_BY_NAME, the one that its name ends in. */
log_format log_file_format(const char *path, log_format format);

/* POSSE_ERROR_FIT: *problem is the message. */
posse_error log_file_read(const char *path, log_format format, const log_columns *columns, arena *memory, logbook *out,
                          log_problem *problem);

#endif

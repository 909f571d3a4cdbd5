/* SPDX-License-Identifier: MIT */
/*
 * The tables of an experiment's results: the file of each and its columns, in order (docs/results.md). Only this file
 * names them: experiment/store/csv.c writes the tables by it, and report/data reads them by it.
 */
#ifndef POSSE_COMMON_TABLES_H
#define POSSE_COMMON_TABLES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum column_type {
    COLUMN_TEXT,
    COLUMN_NUMBER,
    COLUMN_OPTIONAL, /* a number, or empty if there is none */
} column_type;

typedef struct table_column {
    const char *name;
    column_type type;
} table_column;

#define TABLE_COLUMNS_MAX 9

typedef struct table_format {
    const char *file;
    table_column columns[TABLE_COLUMNS_MAX + 1]; /* ends with a column without a name */
} table_format;

typedef enum table_id {
    TABLE_SUMMARY,
    TABLE_CURVES,
    TABLE_SELECTION,
    TABLE_LEARNERS,
    TABLE_MATCHING,
    TABLE_PAIRS,
    TABLE_CLAIMS,
    TABLE_TASKS, /* if a run has several tasks */
    TABLE_COUNT
} table_id;

extern const table_format table_formats[TABLE_COUNT];
/*
 * The tables whose columns differ in an experiment on a log, which has value in place of regret. The other entries have
 * no file.
 */
extern const table_format table_formats_of_log[TABLE_COUNT];

static inline const table_format *table_format_of(table_id table, bool logged) {
    bool differs = logged && table_formats_of_log[table].file != NULL;
    return differs ? &table_formats_of_log[table] : &table_formats[table];
}

/* Whether the results of an experiment with this many tasks a run have the table. */
static inline bool table_is_there(table_id table, int tasks) {
    return table != TABLE_TASKS || tasks > 1;
}

/* The places of the columns. */
enum {
    SUMMARY_CSV_NAME,
    SUMMARY_CSV_ROLE,
    SUMMARY_CSV_KIND,
    SUMMARY_CSV_RUNS,
    SUMMARY_CSV_ROUNDS,
    SUMMARY_CSV_REGRET,
    SUMMARY_CSV_REGRET_CI95,
    SUMMARY_CSV_OPTIMAL_RATE,
    SUMMARY_CSV_OPTIMAL_CI95,
    /* of a log */
    SUMMARY_CSV_VALUE = SUMMARY_CSV_REGRET,
    SUMMARY_CSV_VALUE_CI95 = SUMMARY_CSV_REGRET_CI95,
    SUMMARY_CSV_EFFECTIVE = SUMMARY_CSV_OPTIMAL_RATE
};
enum {
    CURVES_CSV_NAME,
    CURVES_CSV_ROUND,
    CURVES_CSV_REGRET,
    CURVES_CSV_REGRET_CI95,
    CURVES_CSV_OPTIMAL_RATE,
    CURVES_CSV_OPTIMAL_CI95,
    CURVES_CSV_VALUE = CURVES_CSV_REGRET,
    CURVES_CSV_VALUE_CI95 = CURVES_CSV_REGRET_CI95,
    CURVES_CSV_EFFECTIVE = CURVES_CSV_OPTIMAL_RATE
};
enum { SELECTION_CSV_NAME, SELECTION_CSV_ROUND, SELECTION_CSV_LEARNER, SELECTION_CSV_SHARE };
enum { LEARNERS_CSV_NAME, LEARNERS_CSV_LEARNER, LEARNERS_CSV_PLAYS, LEARNERS_CSV_REGRET, LEARNERS_CSV_COEFFICIENT };
enum {
    MATCHING_CSV_NAME,
    MATCHING_CSV_ROUND,
    MATCHING_CSV_LEARNER,
    MATCHING_CSV_CHOSEN,
    MATCHING_CSV_BEST,
    MATCHING_CSV_Z
};
enum { PAIRS_CSV_A, PAIRS_CSV_B, PAIRS_CSV_DIFFERENCE, PAIRS_CSV_CI95 };
enum { TASKS_CSV_NAME, TASKS_CSV_TASK, TASKS_CSV_REGRET, TASKS_CSV_REGRET_CI95 };
enum { CLAIMS_CSV_SAYS, CLAIMS_CSV_HOLDS, CLAIMS_CSV_VERDICT, CLAIMS_CSV_MARGIN, CLAIMS_CSV_CI95 };

#endif

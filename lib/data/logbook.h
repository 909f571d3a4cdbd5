/* SPDX-License-Identifier: MIT */
/*
 * A log in memory: the available arms and the features of each round, which arm was played with which probability, and
 * its reward. Features that are 0 are not stored, because nearly all features of named things are 0.
 */
#ifndef POSSE_DATA_LOGBOOK_H
#define POSSE_DATA_LOGBOOK_H

#include "base/memory.h"

/*
 * A row has lines of features. The first line holds for all of its arms. If arms have features of their own, a line for
 * each arm follows.
 */
typedef struct logbook_row {
    int count;         /* available arms */
    int arm;           /* the one played */
    size_t first_arm;  /* where its arms begin in `listed`; LOGBOOK_FIRST: they are 0 .. count-1 */
    size_t first_line; /* of its lines */
    double reward, probability;
} logbook_row;

#define LOGBOOK_FIRST SIZE_MAX

typedef struct logbook {
    int arms;      /* in all rows */
    int width;     /* features of an arm */
    bool own;      /* arms have features of their own */
    bool constant; /* the log has no features, so there is one that is 1 */
    double least_probability, least_reward, largest_reward;
    size_t rows, lines, numbers, listed_count;
    logbook_row *row;
    int *listed;      /* the arms of rows whose arms are not 0 .. count-1 */
    size_t *line_end; /* where the numbers of each line end; they begin where those of the line before end */
    int *column;      /* of each number */
    double *number;
    int *every; /* 0 .. arms-1 */
} logbook;

/*
 * Makes a log from the calls below, which `tell` makes in order. `tell` is called twice, first to count and then to
 * fill, and must make the same calls both times. Before it returns it sets arms, width and own, and in the second call
 * they are already set. `*told` is what it returned: false if it found a mistake.
 */
typedef bool logbook_teller(void *context, logbook *book);
posse_error logbook_make(logbook *book, arena *memory, logbook_teller *tell, void *context, bool *told);

/* Adds a number to the line, ends the line, and adds an arm to a row whose arms are not 0 .. count-1. */
void logbook_add_number(logbook *book, int column, double number);
void logbook_end_line(logbook *book);
void logbook_add_arm(logbook *book, int arm);
/*
 * Ends a row. Its first_line is `lines` when the row began, and its first_arm is `listed_count` then, or LOGBOOK_FIRST.
 */
void logbook_end_row(logbook *book, const logbook_row *row);

/* The available arms of a row. */
const int *logbook_arms(const logbook *book, size_t row);

/* Writes the features of a row: `width` numbers, or `width` for each available arm if arms have their own. */
void logbook_features(const logbook *book, size_t row, double *out);

#endif

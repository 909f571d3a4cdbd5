/* SPDX-License-Identifier: MIT */
/*
 * A log in memory: what was there in each round, which arm was played with which probability, and the reward of it.
 * Features that are 0 are not kept, since those of named things are nearly all 0.
 */
#ifndef POSSE_DATA_LOGBOOK_H
#define POSSE_DATA_LOGBOOK_H

#include "base/memory.h"

/*
 * A row has lines of features: the first holds for all of its arms; where arms have their own, one for each arm
 * follows.
 */
typedef struct logbook_row {
    int count;         /* arms that are there */
    int arm;           /* the one played */
    size_t first_arm;  /* where they begin in `listed`; LOGBOOK_FIRST: they are the first ones */
    size_t first_line; /* of its lines */
    double reward, probability;
} logbook_row;

#define LOGBOOK_FIRST SIZE_MAX

typedef struct logbook {
    int arms;      /* that there ever are */
    int width;     /* features of an arm */
    bool own;      /* arms have features of their own */
    bool constant; /* nothing was said of features: there is one, and it is 1 */
    double least_probability, least_reward, largest_reward;
    size_t rows, lines, numbers, listed_count;
    logbook_row *row;
    int *listed;      /* the arms of rows that have not simply the first ones */
    size_t *line_end; /* where the numbers of each line end; they begin where those of the line before end */
    int *column;      /* of each number */
    double *number;
    int *every; /* 0 .. arms-1 */
} logbook;

/*
 * Makes a log of what `tell` tells by the calls below, in order. It is called twice, first to count and then to fill,
 * and has to tell the same both times. Before it ends it sets arms, width and own; the second time they are there from
 * the beginning. *told is what it returned: false where it found something wrong.
 */
typedef bool logbook_teller(void *context, logbook *book);
posse_error logbook_make(logbook *book, arena *memory, logbook_teller *tell, void *context, bool *told);

/* The next number of a line; the end of a line; an arm of a row that has not simply the first ones. */
void logbook_add_number(logbook *book, int column, double number);
void logbook_end_line(logbook *book);
void logbook_add_arm(logbook *book, int arm);
/* The end of a row. Its first_line and first_arm are where the lines and arms were that were told when it began. */
void logbook_end_row(logbook *book, const logbook_row *row);

/* Which arms are there in a row. */
const int *logbook_arms(const logbook *book, size_t row);

/* Writes the features of a row: `width` numbers, or those for each arm that is there where arms have their own. */
void logbook_features(const logbook *book, size_t row, double *out);

#endif

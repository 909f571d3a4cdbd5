/*
 * A player lets every competitor of an experiment play a run and writes down what happened. Each worker thread has one,
 * with an environment and posses of its own.
 */
#ifndef POSSE_EXPERIMENT_PLAYER_H
#define POSSE_EXPERIMENT_PLAYER_H

#include <stdatomic.h>

#include "experiment/sheet.h"

typedef struct player player;

/* What a player tells and is told while it plays. */
typedef struct player_line {
    atomic_uint_least64_t rounds; /* played so far, by all */
    atomic_bool halt;             /* stop as soon as possible */
} player_line;

/* Makes a player, to be freed with player_free. What goes wrong is told to `log`. */
posse_error player_make(const agenda *a, player_line *line, const posse_logger *log, player **out);
void player_free(player *p);

/*
 * Plays a run of every competitor into r. Returns false where it was halted or something went wrong, which is then in
 * *error, with the competitor in *who.
 */
bool player_play(player *p, uint32_t run, sheet *r, posse_error *error, int *who);

#endif

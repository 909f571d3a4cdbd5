/*
 * A player lets every competitor of an experiment play runs and writes down what happened. Each worker thread has one,
 * with an environment and posses of its own. Whoever can plays several runs abreast (posse_abreast); what is written
 * down is the same.
 */
#ifndef POSSE_PLAY_PLAYER_H
#define POSSE_PLAY_PLAYER_H

#include <stdatomic.h>

#include "experiment/record/sheet.h"

typedef struct player player;

/* What a player tells and is told while it plays. */
typedef struct player_control {
    atomic_uint_least64_t rounds; /* played so far, by all */
    atomic_bool halt;             /* stop as soon as possible */
} player_control;

/* Makes a player, to be freed with player_free. What goes wrong is told to `log`. */
posse_error player_make(const agenda *a, player_control *control, const posse_logger *log, player **out);
void player_free(player *p);

/* How many runs it can play at once. */
uint32_t player_runs(const player *p);

/* What went wrong, where. POSSE_OK: it was halted. */
typedef struct player_stop {
    posse_error error;
    int competitor;
    uint32_t run;
} player_stop;

/* Lets every competitor play so many runs, at most player_runs. False where it was halted or something went wrong. */
bool player_play(player *p, uint32_t first, uint32_t count, player_stop *stop);

/* What the i-th of the runs just played has left; on loan until the next are played. */
const sheet *player_sheet(const player *p, uint32_t i);

#endif

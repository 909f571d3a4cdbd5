/* SPDX-License-Identifier: MIT */
/*
 * A player lets every competitor of an experiment play runs, and has a recorder write down the results. Each worker
 * thread has one, with an environment and posses of its own. Competitors that can play several runs abreast
 * (posse_abreast) do so, with the same records.
 */
#ifndef POSSE_EXPERIMENT_PLAY_PLAYER_H
#define POSSE_EXPERIMENT_PLAY_PLAYER_H

#include <stdatomic.h>

#include "experiment/record/sheet.h"
#include "posse_simulate.h"

typedef struct player player;

/* What players report, and how they are stopped, while they play. All players of a crew share it. */
typedef struct player_control {
    atomic_uint_least64_t rounds; /* played so far, by all players */
    atomic_bool halt;             /* stop as soon as possible */
} player_control;

/* Makes a player, to be freed with player_free. `log` gets the problems. */
posse_error player_make(const agenda *a, player_control *control, const posse_logger *log, player **out);
void player_free(player *p);

/*
 * Makes the posse with which a competitor plays: a selector over its team or, at a place after the selectors, a learner
 * alone. selector: the part that is made, which may differ from the experiment's; NULL for a learner alone. room: has
 * space for all learners of the experiment; it is used only while the posse is made.
 */
posse_error player_posse(const agenda *a, const posse_environment *environment, int place, const posse_part *selector,
                         posse_part *room, posse **out);

/* How many runs the player can play at once. */
uint32_t player_runs(const player *p);

/* Where a player stopped, and why. POSSE_OK: nothing went wrong, but the player was halted. */
typedef struct player_stop {
    posse_error error;
    int competitor;
    uint32_t run;
} player_stop;

/* Lets every competitor play `count` runs, at most player_runs. False: it was halted, or something went wrong. */
bool player_play(player *p, uint32_t first, uint32_t count, player_stop *stop);

/* The sheet of the i-th of the runs just played, on loan until the next are played. */
const sheet *player_sheet(const player *p, uint32_t i);

#endif

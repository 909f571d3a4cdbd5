/* SPDX-License-Identifier: MIT */
/*
 * Flights: the runs of many blocks, which a device plays at once (posse_device.h). A thread of its own, the pilot,
 * plays one flight after the other. The workers of a crew turn the results of a flight into blocks while the next
 * flight is in the air. The blocks have the same bytes as those of a player.
 */
#ifndef POSSE_EXPERIMENT_PLAY_FLIGHTS_H
#define POSSE_EXPERIMENT_PLAY_FLIGHTS_H

#include "experiment/play/player.h"
#include "experiment/record/curves.h"

typedef struct flights flights;

typedef struct flights_plan {
    int ordinal; /* which device, where there are several */
    int threads; /* flights are refused if this many threads are expected to be faster; 0: they are not */
} flights_plan;

/*
 * Prepares a device for an experiment, to be ended with flights_end and flights_close. NULL: the experiment cannot be
 * played there, or is not worth it, and `why` has the reason.
 */
flights *flights_open(const agenda *a, const flights_plan *plan, char *why, size_t size);
void flights_close(flights *f);

const char *flights_device(const flights *f); /* its name */

/* Starts to play, from the block `first` on, those blocks that `plays` returns true for. */
bool flights_begin(flights *f, uint32_t first, bool (*plays)(uint32_t index), player_control *control);

/* Ends playing, in the middle of a flight if need be; flights_fill returns false from then on. */
void flights_end(flights *f);

/* What a worker needs to make a block. */
typedef struct flights_room {
    sheet sheet;
    double *charges; /* M */
} flights_room;

bool flights_room_open(flights_room *room, const agenda *a);
void flights_room_close(flights_room *room);

/*
 * Waits for a block and fills it in, by many threads at once. number: how many blocks come before it, of those that are
 * played. False: the flights have ended, or flights_problem returns what went wrong.
 */
bool flights_fill(flights *f, uint32_t number, block *b, flights_room *room, curves *c);
const char *flights_problem(flights *f); /* NULL: nothing */

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The state of a posse as it is sent to watchers: one line of JSON.
 */
#ifndef SERVE_FRAME_H
#define SERVE_FRAME_H

#include "engine/engine.h"
#include "serve/json_out.h"

#define FRAME_LEARNERS_MAX 200
#define FRAME_ARMS_MAX 200

void frame_write(const hosted *h, json_out *out);

/* The key `surprise`, where the selector watches its belief or has a robust one; otherwise nothing. */
void put_surprise(json_out *out, const posse *p);

/* The key `alarms`: a list of their names. */
void put_alarms(json_out *out, const hosted *h);

/* The keys `paused`, `shadow` and `holdback`, with the values that the modes have. */
void put_modes(json_out *out, const posse *p);

#endif

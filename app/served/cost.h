/* SPDX-License-Identifier: MIT */
/*
 * How much work a decision is, and a reward. Redis runs one command after the other. The server cuts long requests into
 * pieces, but requests for the same posse wait. So no request may take long. The work is estimated from the shape of a
 * posse, and not measured, so every machine has the same limit.
 */
#ifndef SERVED_COST_H
#define SERVED_COST_H

#include "posse.h"

/* The most work of a request to the server, a second or two; of a command of Redis, and of one decision, which cannot
 * be cut into pieces, a tenth of that. */
#define COST_REQUEST 2e9
#define COST_COMMAND 2e8
#define COST_DECISION 2e8

/* Whether one decision, with all its propensity draws, is too much. */
bool cost_is_too_large(const posse *p);
#define COST_MESSAGE "with this number of arms and features, these draws would keep other requests waiting"

/* How many decisions a request may ask for, and how many rewards it may teach, at least 1. */
size_t cost_decisions_max(const posse *p, double units);
size_t cost_rewards_max(const posse *p, double units);

/* How many rounds it may list, with a decision in each. */
#define DECISIONS_MAX 1000 /* in one request */
size_t cost_rounds_max(const posse *p, double units);

/* How many draws estimate the probability of every arm: those of the posse, or what others can wait for, maybe none. */
uint32_t cost_draws(const posse *p);

/* How many plays a request may teach. */
size_t cost_plays_max(const posse *p);

/*
 * How many values (json_read) a request about a posse has at most: those of this many rounds, each with all arms and
 * features, and of this many rewards.
 */
size_t cost_values_max(const posse *p, size_t rounds, size_t rewards);

/* Whether this many rewards and decisions are more than one piece of work. */
bool cost_is_long(const posse *p, size_t rewards, size_t decisions);

/* Whether a posse may turn out so large that others would have to wait until it is made. The estimate is a high one. */
bool cost_is_large(const posse_def *def);

/* The work that others can wait for, a few milliseconds, and that of a reward. */
double cost_piece(void);
double cost_reward(const posse *p);

#endif

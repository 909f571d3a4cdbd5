/* SPDX-License-Identifier: MIT */
/*
 * How much work a decision is, and a reward. A server and Redis serve one request after the other, so no request may
 * take long. The work is estimated from the shape of a posse, and not measured, so every machine has the same limit.
 */
#ifndef SERVED_COST_H
#define SERVED_COST_H

#include "posse.h"

/* Whether one decision, with all its propensity draws, is too much for a request. */
bool cost_is_too_large(const posse *p);
#define COST_MESSAGE "with this number of arms and features, these draws would keep other requests waiting for seconds"

/* How many decisions a request may ask for, at least 1. Together they take a second or two. */
size_t cost_decisions_max(const posse *p);

/* How many rewards a request may teach, at least 1. Together they take a second or two. */
size_t cost_rewards_max(const posse *p);

#endif

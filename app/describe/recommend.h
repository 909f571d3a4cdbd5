/* SPDX-License-Identifier: MIT */
/*
 * Recommended parts in a description (posse_recommend): `learners: recommended` in place of the list, `prior:
 * recommended`, and `belief: recommended` in a selector or a learner. `rewards: clicks | counts | numbers` beside them
 * states what rewards are.
 */
#ifndef POSSE_DESCRIBE_RECOMMEND_H
#define POSSE_DESCRIBE_RECOMMEND_H

#include "describe/problems.h"
#include "posse.h"

typedef enum recommend_rewards {
    RECOMMEND_UNKNOWN = -1,
    RECOMMEND_NUMBERS = POSSE_REWARDS_NUMBERS,
    RECOMMEND_CLICKS = POSSE_REWARDS_CLICKS,
    RECOMMEND_COUNTS = POSSE_REWARDS_COUNTS
} recommend_rewards;

typedef struct recommend_facts {
    const posse_def *arms;     /* has arms, dim, points and context */
    recommend_rewards rewards; /* what is known without the key `rewards` */
    bool whole;                /* a posse: without learners it has the recommended ones, and then also their prior */
} recommend_facts;

/* What the rewards of an environment are, by its kind. */
recommend_rewards recommend_rewards_of_environment(const posse_part *environment);

/*
 * The description with these parts written out, or the description itself if none is recommended. Adds a problem if
 * nothing states what rewards are. NULL: no memory.
 */
const node *recommend_expand(const node *root, const recommend_facts *facts, pool *memory, problems *found);

#endif

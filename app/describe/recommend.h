/* SPDX-License-Identifier: MIT */
/*
 * Recommended parts in a description (posse_recommend): `learners: recommended` in place of the list, `prior:
 * recommended`, and `belief: recommended` in a selector or a learner. `rewards: clicks | counts | numbers` beside them
 * states what rewards are.
 */
#ifndef POSSE_DESCRIBE_RECOMMEND_H
#define POSSE_DESCRIBE_RECOMMEND_H

#include "describe/problems.h"
#include "posse_kinds.h"

typedef struct recommend_facts {
    const posse_def *arms;     /* has arms, dim, points and context */
    posse_reward_kind rewards; /* what is known without the key `rewards` */
    bool failed;               /* these are not known, because of a problem that has been reported */
    bool whole;                /* a posse: without learners it has the recommended ones, and then also their prior */
} recommend_facts;

/*
 * The description with these parts written out, or the description itself if none is recommended. In an experiment
 * whose environment has no prior, recommended learners also get the recommended belief. Adds a problem if nothing
 * states what rewards are. NULL: no memory.
 */
const node *recommend_expand(const node *root, const recommend_facts *facts, pool *memory, problems *found);

#endif

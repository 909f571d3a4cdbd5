/* SPDX-License-Identifier: MIT */
/*
 * The loops of runs abreast: ABREAST runs in lockstep, one in each vector lane. Every number of a run is made by the
 * same operations in the same order as when the run is played by itself (learner/, belief/, selector/bms.c), so that it
 * has the same bits.
 *
 * Arrays are made of rows of ABREAST numbers, one for each run, whatever the instruction set.
 */
#ifndef POSSE_ABREAST_LOOPS_H
#define POSSE_ABREAST_LOOPS_H

#include "model/abreast_form.h"

#define ABREAST 16

/*
 * With more arms and learners a run by itself is as fast: its loops (charge_gaps of kernel/single.c) use vectors of
 * learners, and it computes the arms of one learner only. These bounds hold for every instruction set; abreast_kernels
 * has the bounds of each.
 */
#define ABREAST_ARMS_MOST 32
#define ABREAST_LEARNERS_MOST 64

/*
 * Statistics of arms: for each arm, one row of each number. The learners here play the arm with the largest index
 *
 *     mean + spread * factor,
 *
 * where UCB's spread is 1 / sqrt(count) and its factor a radius, and Thompson sampling's spread is the posterior's sd
 * and its factor a normal. For UCB, an arm without rewards has a mean of +infinity, so that such arms are played first,
 * lowest index first.
 */
typedef struct abreast_arms {
    double *mean, *spread, *sum, *count;
} abreast_arms;

/* How a mind (see abreast_team) learns rewards: as UCB does, or as a gaussian belief does. */
typedef struct abreast_rule {
    bool bayes;
    double weight;           /* of a reward in the sum: 1, or the precision of the noise */
    const double *precision; /* bayes: of each arm's prior */
    const abreast_form *form;
    const void *plan; /* the plan that the form is called with: of the belief, or of the learner */
    /* not bayes: the radius for counts below `tabulated` */
    const double *radius;
    size_t tabulated;
} abreast_rule;

/*
 * The environments of the runs: a row of mean rewards and one of regrets for each arm, a row of noise for each round.
 */
typedef struct abreast_scene {
    size_t arms;
    const double *means, *gaps, *noise;
    double sd; /* of the noise */
} abreast_scene;

typedef struct abreast_solo {
    abreast_rule rule;
    abreast_arms known;
} abreast_solo;

/*
 * B-MS over learners. A *mind* is what a learner has learned: its statistics of all arms. Each learner has its own
 * mind. But if data is shared, learners whose minds would be equal share one, as all UCB learners do.
 */
typedef struct abreast_team {
    size_t learners, minds;
    bool share;
    bool some_bayes, some_ucb; /* of the learners */
    abreast_rule *rules;       /* of each learner */
    abreast_rule *mind_rules;  /* of each mind */
    double *mind;              /* the mind of each learner */
    double *weight, *bayes;    /* of each learner: its rule's, and 1 or 0 */
    double *precision;         /* of each learner and arm */
    abreast_arms known;        /* mind by mind, arm by arm */
    double *record;            /* learner by learner, a row for each arm: how often it was played */
    uint64_t *plays;           /* a row for each learner */
    double *radii;             /* of each learner, for counts below `tabulated` */
    size_t tabulated;
    abreast_rule belief_rule; /* of the selector */
    abreast_arms belief;

    /* The share of a regret that is charged, if patience is finite (selector/patience.h). */
    bool patient, forgets;
    double *charged;     /* a row for each learner: the share of its regret */
    double *tried;       /* a row for each learner: its plays, weighed */
    double *charges_for; /* by number of plays, below `tabulated`: the share; without forgetting */
    double *play_weight; /* the weight of a play now; one number */
    const posse *posse;  /* borrowed; it computes the shares */
    posse_draw *ties;    /* of each run */

    /* Normals for the learners that draw, made ahead: `ahead` for each learner and run; `next` is the next one to use.
     */
    uint64_t seed;
    uint32_t first_run;
    uint64_t *streams;
    uint32_t ahead;
    double *normals;
    uint32_t *next;   /* a row for each learner */
    uint64_t *blocks; /* a row for each learner: the first block of its stream that is not made yet */
} abreast_team;

typedef struct abreast_kernels {
    /* As measured (docs/performance.md): the most arms, and arms times learners, with which runs abreast are faster. */
    size_t arms_most, cells_most;
    /*
     * Rows of normals: draws [2 * block, 2 * (block + blocks)) of a stream, in the runs from `run` on. out
     * has a row for each draw.
     */
    void (*normals)(uint64_t seed, uint32_t run, uint64_t stream, uint64_t block, double *out, size_t blocks);
    /*
     * Plays a learner alone. factors: for each round a radius, or rows of normals, one for each arm. The trace has a
     * row for each round.
     */
    void (*play_solo)(const abreast_solo *s, const abreast_scene *scene, size_t rounds, const double *factors,
                      const posse_trace *trace);
    /*
     * Plays B-MS, after `before` rounds. normals: for each round the rows of the world's normals, one for each arm;
     * NULL: the learners play their first rounds, in order.
     */
    void (*play_team)(const abreast_team *t, const abreast_scene *scene, uint64_t before, size_t rounds,
                      const double *normals, const posse_trace *trace);
} abreast_kernels;

/* The radius of a UCB rule after `learned` rewards. */
double abreast_radius(const abreast_rule *r, uint64_t learned);

/* The share of its regret that a learner with this number of plays is charged after this number of rounds. */
double abreast_share(const abreast_team *t, uint64_t rounds, double plays);

/* Sets the weight of a play to its value after this number of rounds and, if it has changed, updates all shares. */
void abreast_reweigh(const abreast_team *t, uint64_t rounds);

/* Makes more normals for a learner of a team in one of the ABREAST runs. */
void abreast_refill(const abreast_team *t, size_t learner, size_t run);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What a device gets and returns: plain numbers, without a pointer into a posse. device.c writes the plan of an
 * experiment once, and a flight of runs at a time. A device plays a run in each of its threads (play.h), and reduces
 * the curves of a block of runs to means and counts (reduce.h).
 */
#ifndef POSSE_ABREAST_DEVICE_JOB_H
#define POSSE_ABREAST_DEVICE_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEVICE_VERSION 3

#define DEVICE_ARMS_MOST 32
#define DEVICE_LEARNERS_MOST 32
#define DEVICE_CELLS_MOST 512    /* arms times learners: the sums of a run stay in the fast memory of a device */
#define DEVICE_ROUNDS_MOST 65535 /* counts have 16 bits */
#define DEVICE_DIM_MOST 64       /* coordinates of an arm, where the library plays */
#define DEVICE_KEYS 10
#define DEVICE_MATCHING_MOST 16 /* rounds at which true charges are recorded */

typedef enum device_rule_kind { DEVICE_UCB, DEVICE_BAYES, DEVICE_FIXED } device_rule_kind;

/*
 * How a learner, or the belief of a selector, chooses and learns. Of each arm it has the sum of its weighed rewards;
 * mean and spread follow from the sum and the number n of rewards. A place is an index into the numbers of the plan.
 */
typedef struct device_rule {
    int32_t kind; /* device_rule_kind */
    int32_t arm;  /* fixed: the arm that is played */
    double weight;
    uint64_t stream;
    uint32_t means;  /* place of the mean of each arm before any reward */
    uint32_t sums;   /* place of the sum of each arm before any reward */
    uint32_t spread; /* place of pairs, for n = 0, 1, …: 1 / n or the variance; and the spread */
    uint32_t step;   /* from the pairs of one arm to those of the next; 0: they are the same */
    uint32_t radii;  /* ucb: place of the radius after n rewards, for n = 0, 1, … */
} device_rule;

/*
 * A competitor. Either the loops of play.h play it, or the library itself does, compiled for the device (library.h).
 */
typedef struct device_competitor {
    int32_t by_library;
    uint32_t description, description_size; /* by the library: place and size of its description, in bytes */
    int32_t selects, share, patient;
    int32_t learners, minds; /* see abreast/loops.h; a mind has the rule of its first learner */
    int32_t some_bayes, some_ucb;
    int32_t mind[DEVICE_LEARNERS_MOST];   /* of each learner */
    int32_t minded[DEVICE_LEARNERS_MOST]; /* of each mind: its first learner */
    uint32_t places;                      /* where the places of its learners begin */
    uint64_t selector_stream, ties_stream;
    device_rule belief;
    device_rule rules[DEVICE_LEARNERS_MOST];
    uint32_t charged; /* patient: place of the share of its regret that a learner is charged after n plays */
    uint32_t matching_count, matching[DEVICE_MATCHING_MOST];
    uint32_t slip; /* where its numbers begin in the slip of a run */
} device_competitor;

/*
 * A slip has the numbers of one run that are not curves. Those of a competitor: regret at the end; rounds of the tail
 * with an optimal arm; regret at each watched round; and for a selector, of each learner, plays, their regret, and the
 * square of the coefficient; how many rewards it clipped, or NaN; then for each matching round the learner chosen, and
 * of each learner the regret of its plays in the true world and their number.
 */
enum { SLIP_REGRET, SLIP_OPTIMAL, SLIP_WATCHED };

typedef struct device_plan {
    uint64_t seed, noise_stream;
    uint64_t keys[DEVICE_KEYS]; /* Philox's, of the seed: for each of its rounds, the first in the lower half */
    double noise;               /* standard deviation */
    uint32_t arms, learners;
    uint32_t selectors, played; /* competitors that play: selectors first, then learners alone */
    uint32_t competitors;       /* those, and maybe the oracle: the best learner alone of each run */
    uint32_t rounds, tail;
    uint32_t point_count, watched_count;
    uint32_t block_runs;
    uint32_t slip_count;    /* numbers in a slip */
    uint32_t number_count;  /* of the tables below */
    const double *numbers;  /* tables, which rules and competitors refer to */
    const uint32_t *points; /* rounds that curves have, counted from 1 */
    const uint32_t *watched;
    const device_competitor *competitor;
    uint32_t place_count, description_size;
    const int32_t *places;       /* of the learners of each competitor, among all learners of the experiment */
    const uint8_t *descriptions; /* of the competitors that the library plays */
} device_plan;

/* The curves of a flight, on the device: a row of runs for each competitor that plays and each point. */
typedef struct device_curves {
    uint32_t runs;
    double *regrets;
    uint8_t *optimal;
    uint16_t *choices; /* of selectors alone */
} device_curves;

/* What the runs of a block, or of several, are reduced to: competitors x points, and selectors x points x learners. */
typedef struct device_reduced {
    double *mean, *m2;
    uint32_t *optimal, *shares;
} device_reduced;

/* What went wrong in a run that the library played: a posse_error, or 0. */
typedef struct device_failure {
    int32_t error;
    uint32_t run;
} device_failure;

/* Runs that are played at a time. All pointers are to memory of the host. */
typedef struct device_flight {
    uint32_t count;
    const uint32_t *runs;   /* the number of each, in ascending order */
    const double *means;    /* a row of runs for each arm: mean rewards; a regret is the best mean less another */
    const double *best;     /* of each run */
    double *slips;          /* of each run */
    device_reduced reduced; /* block by block; all blocks but the last are full */
    device_curves kept;     /* curves of the first kept.runs runs, which may be 0 */
    device_failure *failure;
} device_flight;

/*
 * A kind of device, as posse_cuda.so has it. The functions return NULL or what is wrong, in words. While one thread is
 * in play, another may call halt, upon which play returns soon.
 */
typedef struct device_ops {
    int version;
    bool has_library; /* it can play competitors by the library */
    /* ordinal: which device, if there are several; modulo their number. */
    const char *(*open)(void **machine, int ordinal);
    const char *(*name)(const void *machine);
    /* Makes a plan ready; *runs is how many a flight may have at most, and is lowered to what the device holds. */
    const char *(*prepare)(void *machine, const device_plan *plan, uint32_t *runs);
    const char *(*play)(void *machine, const device_flight *f, void (*tell)(void *context, uint64_t rounds),
                        void *context);
    void (*halt)(void *machine);
    /* Memory of the host that the device reaches quickly. */
    void *(*allocate)(size_t size);
    void (*release)(void *memory);
    void (*close)(void *machine);
} device_ops;

#endif

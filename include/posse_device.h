/*
 * Runs on a device: tens of thousands of runs are played at once, one run in each thread of a GPU. Each run has the
 * same results as by posse_play, to the last bit. This is for simulations with many runs; applications have no use for
 * it. The device is a shared object that is loaded at run time (docs/gpu.md), and the library does not depend on it.
 *
 * It works for every kind of the library, except rounds with features, episodes, logs and environments of files. It is
 * fastest where runs can be played abreast (posse_abreast.h) and for the learner `fixed`, up to 32 arms, 32 learners
 * and 65535 rounds.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef POSSE_DEVICE_H
#define POSSE_DEVICE_H

#include "posse_simulate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ================================================== runs on a device ============================================== */

typedef struct posse_device posse_device;

#define POSSE_DEVICE_TEXT 512

/* What is recorded of every run. Rounds are counted from 1, in ascending order. */
typedef struct posse_device_record {
    uint32_t runs;          /* that will be played; 0: any number */
    uint64_t rounds;        /* of a run */
    uint64_t tail;          /* last rounds, in which those with an optimal arm are counted */
    const uint64_t *points; /* the rounds that a curve has */
    int point_count;
    const uint64_t *watched; /* rounds whose regret is on the slip */
    int watched_count;
    int learners;        /* of all competitors together */
    int selectors;       /* how many competitors have a selector: the first ones */
    bool oracle;         /* add a competitor: in each run, the learner alone with the least regret */
    uint32_t block_runs; /* runs whose curves are reduced together */
    int ordinal;         /* which device, where there are several; modulo their number */
    int threads;         /* of processors, which may play instead: if they are expected to be faster, the device is
                            refused. 0: this does not matter */
} posse_device_record;

/* A competitor. Those without a selector have one learner each. */
typedef struct posse_device_competitor {
    const posse *player;      /* must outlive the device; it is not played itself */
    const int *places;        /* of its learners among all learners */
    const uint64_t *matching; /* selectors: rounds before whose choice the true charges are recorded */
    int matching_count;
} posse_device_competitor;

/*
 * Opens a device and prepares it for an experiment. ops: the symbol posse_device_ops of the shared object. Free it with
 * posse_device_free. If it fails, `why` has the reason in words. POSSE_ERROR_ABSENT: these runs cannot be played on a
 * device, or there is none.
 */
POSSE_API posse_error posse_device_create(const void *ops, const posse_environment *e,
                                          const posse_device_record *record, const posse_device_competitor *competitors,
                                          int count, posse_device **out, char why[POSSE_DEVICE_TEXT]);
POSSE_API void posse_device_free(posse_device *d);

/* The name of the device, and how many runs it plays at once. */
POSSE_API const char *posse_device_name(const posse_device *d);
POSSE_API uint32_t posse_device_width(const posse_device *d);

/*
 * The results of a flight of runs. A *slip* has the numbers of one run that are not curves. At posse_device_slip it has
 * those of a competitor: its regret, its rounds with an optimal arm in the tail, and its regret at each watched round.
 * For a selector these follow: the plays of each learner; their regrets; the largest regret^2 / plays at any time; how
 * many rewards were clipped, or NaN; and for each matching round the place of the learner chosen, and of each learner
 * the true regret of its plays so far and their number.
 */
typedef struct posse_device_results {
    size_t slip_count; /* numbers in a slip */
    double *slips;     /* of each run */
    /* Of each block of runs, competitors x points: mean and sum of squares, and runs with an optimal arm. */
    double *mean, *m2;
    uint32_t *optimal;
    uint32_t *shares; /* of each block, selectors x points x learners: how many runs chose the learner */
    /* The curves of the first `kept` runs: competitors (without the oracle) x points x kept; choices of selectors. */
    uint32_t kept, kept_most; /* of this flight; for which there is room */
    double *regrets;
    uint8_t *marks;
    uint16_t *choices;
} posse_device_results;

/* Makes room for the results of a flight, with the curves of up to `kept` runs. NULL: there is no memory. */
POSSE_API posse_device_results *posse_device_results_make(const posse_device *d, uint32_t kept);
POSSE_API void posse_device_results_free(const posse_device *d, posse_device_results *r);

/* Where the numbers of a competitor begin in a slip. */
POSSE_API size_t posse_device_slip(const posse_device *d, int competitor);

/*
 * Plays runs, at most posse_device_width of them. They are given by their numbers, in ascending order and in blocks,
 * all of which but the last are full. kept: how many of the first ones keep their curves. tell: is called now and then
 * with the number of rounds that have been played since the last call. POSSE_ERROR_ABSENT: the device failed, and `why`
 * has the reason. posse_device_halt, called by another thread, makes it return soon, with results that are not
 * complete.
 */
POSSE_API posse_error posse_device_play(posse_device *d, const uint32_t *runs, uint32_t count, uint32_t kept,
                                        posse_device_results *r, void (*tell)(void *context, uint64_t rounds),
                                        void *context, char why[POSSE_DEVICE_TEXT]);
POSSE_API void posse_device_halt(posse_device *d);

#ifdef __cplusplus
}
#endif

#endif

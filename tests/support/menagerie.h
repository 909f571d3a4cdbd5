/* SPDX-License-Identifier: MIT */
/*
 * The menagerie: for every kind, a description (a *specimen*) and the arms that it fits (its *habitat*), so that
 * general tests can loop over the registry. A new kind that has no specimen makes a test fail. A *parade* plays several
 * posses through the same rounds, and checks that they decide alike.
 */
#ifndef MENAGERIE_H
#define MENAGERIE_H

#include <stdio.h>

#include "helpers.h"
#include "keeping.h"

/* ---- habitats and specimens ---- */

/* Arms and a prior. */
typedef struct habitat {
    const char *name;
    int arms, dim, context;
    const double *points;
    posse_part prior;
    bool episodes;
    bool unit;   /* rewards of parades are in [0, 1] */
    bool counts; /* rewards of histories are counts (oracle.h) */
} habitat;

/* The last three have features: one set for each arm, one shared by all arms, and both. */
enum { ARMS_5, COINS_4, COUNTS_4, LOCK_6, POINTS_7, COUPONS_7, BALL_3, OFFERS_6, VISITORS_4, CLICKS_5, HABITATS };
#define HABITATS_WITHOUT_FEATURES OFFERS_6
extern const habitat habitats[HABITATS];

typedef struct specimen {
    const habitat *home;
    posse_part part;
} specimen;

/* The rows of hypotheses on five arms, which tables/rows.csv has too. */
#define MENAGERIE_ROWS 3
extern const double menagerie_rows[MENAGERIE_ROWS * 5];

/* Every specimen of a family, in the order of the table. Specimens of environments have no home. */
const specimen *menagerie(posse_family family, int *count);

/*
 * Specimens of kinds that learn from episodes alone. They are not in the list above, because an application can neither
 * play nor save them.
 */
const specimen *menagerie_of_episodes(posse_family family, int *count);

/* The first specimen of a kind, or NULL for a kind of selector or learner that is not built in. The test fails if
 * another kind has none. */
const specimen *specimen_of(posse_family family, const char *kind);

/*
 * Registers the kinds of examples/plugins and adds them to the menagerie, so that tests of every kind include kinds
 * that were written outside of the library.
 */
void menagerie_add_examples(void);

/* Every kind in the registry has a specimen. */
void assert_menagerie_complete(posse_family family);

/* The arms and the prior of a habitat, Algorithm 1, a horizon of 1000 rounds, no learners. */
posse_def habitat_def(const habitat *h);

/* Whether a belief, or that of a learner, changes from round to round. Then the order of rewards matters. */
bool is_restless(const posse_part *described);

/* Writes all learners that fit a habitat to `out`, and returns their number. */
#define TEAM_MAX 16
int habitat_team(const habitat *h, posse_part out[TEAM_MAX]);

/* Whether rounds in the habitat have features. */
bool brings_features(const habitat *h);

/* Whether a kind of selector fits a habitat. Only stochastic-corral does not fit the ball and rounds with features. */
bool selector_fits(const char *kind, const habitat *h);

/*
 * The same for a description: in contexts B-MS has no forgetting and no discount, elsewhere it has no options for
 * contexts, and a floor needs arms.
 */
bool specimen_fits(const posse_part *selector, const habitat *h);

/* The first specimen of a kind of selector, with these options `share` and `batch`. */
posse_part selector_part(const char *kind, bool share, int batch);

/* All learners of a habitat under a selector; the definition points to `crew`. */
posse_def team_def(const habitat *h, posse_part selector, posse_part crew[TEAM_MAX]);
posse *habitat_posse(const habitat *h, posse_part selector);

/* The same for a horizon of 5000 rounds, with a host. */
posse *crew_made(const habitat *h, posse_part selector, posse_host host);

/* Registers a kind once in a process. Each test may also run alone. */
void register_once(const posse_learner_ops *ops);

/* In every habitat, under every kind of selector. */
void for_every_team(void (*law)(const habitat *h, posse_part selector));

/* A wide and a narrow UCB, on five arms. */
posse *two_ucbs(posse_part selector);

/* Learner i always plays arm i mod 5, on five arms. At most eight learners. */
posse *fixed_team(posse_part selector, int count);

/* Another learner for such a team. */
extern const posse_part fixed_newcomer;

/* Plays rounds of such a team, with rewards in [0, 1] that hardly vary. Arm 4 pays the most. */
void play_plainly(posse *p, int rounds);

/* A part with one more option, or that option replaced. */
posse_part with_option(posse_part base, posse_option option);

/* ---- worlds for learners alone ---- */

extern const posse_part gaussian_world, bernoulli_world, lock_world, wide_lock_world, linear_world, ball_world;
/* 18 arms at the 8 corners of a cube, so that corners repeat. Equal arms are exact ties. */
extern const posse_part cube_world;

/* Only the lock has K + log2 K arms, so that the information-lock learner fits it only. */
#define WORLDS 7
extern const posse_part *const worlds[WORLDS];

/* ---- random numbers for tests: G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom numbers (2014) ---- */

uint64_t random_next(uint64_t *source);
uint64_t random_below(uint64_t *source, uint64_t count);
double random_uniform(uint64_t *source); /* in [0, 1) */

/* ---- parades ---- */

#define MARCHERS_MAX 4
#define OPEN_MAX 64

/*
 * Posses that must make the same decisions. Rewards depend on the id and the arm of the decision. Most come at once,
 * some late and in any order, some never.
 */
typedef struct parade {
    posse *marchers[MARCHERS_MAX];
    int count;
    bool unit;
    uint64_t source;
    posse_decision open[OPEN_MAX]; /* decisions without a reward so far */
    int open_count;
} parade;

void parade_begin(parade *r, const habitat *h, posse *first, uint64_t seed);
void parade_round(parade *r);
void parade_march(parade *r, int rounds);
/* Adds a copy of the last posse, saved and loaded. */
void parade_join(parade *r);
void parade_leave(parade *r); /* frees all */

/* The reward of a decision. */
double parade_reward(bool unit, const posse_decision *d);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The menagerie: for every kind there is, a description and arms among which it can live, so that general laws can loop
 * over the registry. A new kind that nobody has put here fails the law that asks for it. Around it are *parades*:
 * posses marched through the same rounds in step.
 */
#ifndef MENAGERIE_H
#define MENAGERIE_H

#include <stdio.h>

#include "helpers.h"
#include "keeping.h"

/* ---- where parts live, and what lives there ---- */

/* Arms and a prior. */
typedef struct habitat {
    const char *name;
    int arms, dim, context;
    const double *points;
    posse_part prior;
    bool unit;   /* rewards of parades are in [0, 1] */
    bool counts; /* those of histories are counts (oracle.h) */
} habitat;

/* In the last three rounds bring features: each arm has its own, all share them, both. */
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

/* Every specimen of a family, in the order of the table. Those of environments have no home. */
const specimen *menagerie(posse_family family, int *count);

/* The first specimen of a kind; NULL for a kind of selector or learner that is not built in. Fails where one is due. */
const specimen *specimen_of(posse_family family, const char *kind);

/*
 * Registers the kinds of examples/plugins, and from then on they are in the menagerie too: laws that hold for every
 * kind hold for those written outside of the library.
 */
void menagerie_add_examples(void);

/* Every kind in the registry has a specimen. */
void assert_menagerie_complete(posse_family family);

/* The arms and the prior of a habitat, Algorithm 1, a horizon of 1000 rounds, no learners. */
posse_def habitat_def(const habitat *h);

/* Whether a belief, or that of a learner, changes from round to round: the order of rewards then matters. */
bool is_restless(const posse_part *described);

/* All learners that live there, in `out`, which must have room for TEAM_MAX. */
#define TEAM_MAX 16
int habitat_team(const habitat *h, posse_part out[TEAM_MAX]);

/* Whether rounds there bring features. */
bool brings_features(const habitat *h);

/* Whether a kind of selector can live there: all but one also on the ball. */
bool selector_fits(const char *kind, const habitat *h);

/* The same of a description: in contexts B-MS knows no forgetting and no discount, and a floor needs arms. */
bool specimen_fits(const posse_part *selector, const habitat *h);

/* The first specimen of a kind of selector, told to share and to play so many rounds in a row. */
posse_part selector_part(const char *kind, bool share, int batch);

/* All learners of a habitat under a selector; the definition points to `crew`. */
posse_def team_def(const habitat *h, posse_part selector, posse_part crew[TEAM_MAX]);
posse *habitat_posse(const habitat *h, posse_part selector);

/* In every habitat, under every kind of selector. */
void for_every_team(void (*law)(const habitat *h, posse_part selector));

/* A wide and a narrow UCB, on five arms. */
posse *two_ucbs(posse_part selector);

/* Learner i always plays arm i, of five; with more than five it begins again at arm 0. At most eight. */
posse *fixed_team(posse_part selector, int count);

/* One more for such a team. */
extern const posse_part fixed_newcomer;

/* So many rounds of such a team, with rewards in [0, 1] that hardly vary: arm 4 pays the most. */
void play_plainly(posse *p, int rounds);

/* A part with one more option, or that option replaced. */
posse_part with_option(posse_part base, posse_option option);

/* ---- worlds for learners alone ---- */

extern const posse_part gaussian_world, bernoulli_world, lock_world, wide_lock_world, linear_world, ball_world;
/* Corners repeat: 18 of 8 there are. Equal arms are exact ties. */
extern const posse_part cube_world;

/* None but the lock has K + log2 K arms, so that the lock's solver finds a home there only. */
#define WORLDS 7
extern const posse_part *const worlds[WORLDS];

/* ---- randomness of the tests' own: G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom numbers (2014)
 * ---- */

uint64_t random_next(uint64_t *source);
uint64_t random_below(uint64_t *source, uint64_t count);
double random_uniform(uint64_t *source); /* in [0, 1) */

/* ---- parades ---- */

#define MARCHERS_MAX 4
#define OPEN_MAX 64

/*
 * Posses that must decide alike. Rewards follow from the decision's id and arm; most come at once, some late and in any
 * order, some never.
 */
typedef struct parade {
    posse *marchers[MARCHERS_MAX];
    int count;
    bool unit;
    uint64_t source;
    posse_decision open[OPEN_MAX]; /* without a reward so far */
    int open_count;
} parade;

void parade_begin(parade *r, const habitat *h, posse *first, uint64_t seed);
void parade_round(parade *r);
void parade_march(parade *r, int rounds);
/* A copy joins: the last one, saved and loaded. */
void parade_join(parade *r);
void parade_leave(parade *r); /* frees all */

/* The reward a decision gets. */
double parade_reward(bool unit, const posse_decision *d);

#endif

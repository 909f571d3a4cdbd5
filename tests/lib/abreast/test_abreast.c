/* SPDX-License-Identifier: MIT */
/*
 * Runs abreast: a run that is played beside others is the same as when it is played by itself, to the last bit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/play/player.h"
#include "helpers.h"
#include "menagerie.h"
#include "numeric/kernels.h"
#include "posse_abreast.h"
#include "scenes.h"

#define MOST 65 /* learners, and arms */

/* A comparison: an environment, the posse that plays it, and the number of rounds. */
typedef struct match {
    int arms;
    enum { UCB, THOMPSON, MIXED } learners;
    int count; /* number of learners; 0: the first one without a selector */
    bool share, fixed;
    size_t rounds;
    uint64_t seed;
    uint32_t first;  /* number of the first run */
    size_t horizon;  /* `rounds` of the posse's definition; 0: the rounds that are played */
    bool patient;    /* otherwise patience is unlimited */
    double patience; /* of the selector */
    double commitment;
    bool forgets;
    bool plus; /* bms-plus, with its own patience */
} match;

/* Lists with an entry for each arm, which differ from each other. */
static double list[MOST][3];

static const double *means_of(int shift) {
    static double means[8][MOST];
    for (int a = 0; a < MOST; a++) means[shift][a] = 0.1 * ((a * 7 + shift * 3) % 5) - 0.2;
    return means[shift];
}

static const double *sds(void) {
    for (int a = 0; a < MOST; a++) list[a / 3][a % 3] = 0.25 + 0.125 * (a % 4);
    return list[0];
}

/* Some beliefs have one sd for all arms, for which tables are used; others have a list. */
static posse_part belief_of(int arms, int i) {
    posse_part b = {.kind = "gaussian",
                    .options = {{.key = "mean", .list = means_of(i % 8), .count = (size_t)arms},
                                {.key = "noise", .number = 1.0 + 0.5 * (i % 3)},
                                {.key = "sd", .number = 0.5 + 0.1 * i}}};
    if (i % 2 == 1) b.options[2] = (posse_option){.key = "sd", .list = sds(), .count = (size_t)arms};
    return b;
}

static posse_environment *environment_of(const match *m) {
    size_t arms = (size_t)m->arms;
    posse_part e = {.kind = "gaussian", .options = {NUMBER("arms", m->arms), NUMBER("noise", 1.25)}};
    if (m->fixed) {
        e.options[2] = (posse_option){.key = "means", .list = means_of(1), .count = arms};
    } else {
        e.options[2] = (posse_option){.key = "prior.mean", .list = means_of(2), .count = arms};
        e.options[3] = (posse_option){.key = "prior.sd", .list = sds(), .count = arms};
    }
    return environment_made(&e, m->seed);
}

static posse_part selector_of(const match *m, const posse_part *belief) {
    posse_part bms = {.kind = "bms", .options = {{.key = "belief", .part = belief}, NUMBER("share", m->share ? 1 : 0)}};
    if (m->plus) bms.kind = "bms-plus"; /* without a budget, which is played one by one */
    if (m->plus) bms = with_option(bms, (posse_option)NUMBER("budget", 0));
    if (!m->patient) return bms;
    bms.options[2] = (posse_option)NUMBER("patience", m->patience);
    bms.options[3] = (posse_option)NUMBER("commitment", m->commitment);
    bms.options[4] = (posse_option)NUMBER("forgetting", m->forgets ? 1 : 0);
    return bms;
}

static posse *posse_of(const match *m, const posse_environment *e) {
    static char names[MOST][8];
    static posse_part beliefs[MOST + 1], learners[MOST];
    int count = m->count > 0 ? m->count : 1;
    for (int i = 0; i <= count; i++) beliefs[i] = belief_of(m->arms, i);
    for (int i = 0; i < count; i++) {
        bool ucb = m->learners == UCB || (m->learners == MIXED && i % 2 == 0);
        snprintf(names[i], sizeof names[i], "%d", i);
        if (ucb)
            learners[i] = (posse_part){.kind = "ucb", .options = {NUMBER("width", 0.2 * i), NUMBER("delta", 0.1)}};
        else
            learners[i] = (posse_part){.kind = "thompson", .options = {{.key = "belief", .part = &beliefs[i]}}};
        learners[i].name = names[i];
    }
    posse_def def = posse_environment_def(e);
    def.learners = learners;
    def.learner_count = count;
    def.rounds = m->horizon > 0 ? m->horizon : m->rounds;
    def.selector = m->count > 0 ? selector_of(m, &beliefs[count]) : (posse_part){0};
    return posse_made(&def);
}

typedef struct story {
    int32_t *learners, *arms;
    double *regrets;
} story;

static posse_trace trace_of(story *s, size_t entries) {
    s->learners = malloc(entries * sizeof *s->learners);
    s->arms = malloc(entries * sizeof *s->arms);
    s->regrets = malloc(entries * sizeof *s->regrets);
    assert_true(s->learners != NULL && s->arms != NULL && s->regrets != NULL);
    return (posse_trace){.learners = s->learners, .arms = s->arms, .regrets = s->regrets};
}

static void forget(story *s) {
    free(s->learners);
    free(s->arms);
    free(s->regrets);
}

/* Plays in stretches of uneven length, because a caller may ask for the trace in pieces. */
static void play_abreast(posse_abreast *a, size_t rounds, posse_trace trace) {
    static const size_t stretches[] = {1, 2, 100, 37, 500, 5000};
    size_t width = posse_abreast_width(a);
    for (size_t done = 0, i = 0; done < rounds; i++) {
        size_t now = stretches[i % 6] < rounds - done ? stretches[i % 6] : rounds - done;
        posse_trace at = {.learners = trace.learners + done * width,
                          .arms = trace.arms + done * width,
                          .regrets = trace.regrets + done * width};
        assert_int_equal(posse_abreast_play(a, 0, now, &at), POSSE_OK);
        done += now;
    }
}

/* Compares the run at an offset in a group of `width` runs with the same run played alone. */
static void assert_same_run(const match *m, posse *p, posse_environment *e, size_t offset, size_t width,
                            const story *beside) {
    uint32_t run = m->first + (uint32_t)offset;
    story alone;
    posse_trace trace = trace_of(&alone, m->rounds);
    posse_environment_begin(e, run);
    assert_int_equal(posse_restart(p, run), POSSE_OK);
    assert_int_equal(posse_play(p, e, m->rounds, &trace), POSSE_OK);
    for (size_t t = 0; t < m->rounds; t++) {
        size_t i = t * width + offset;
        bool same = alone.arms[t] == beside->arms[i] &&
                    memcmp(&alone.regrets[t], &beside->regrets[i], sizeof(double)) == 0 &&
                    (m->count == 0 || alone.learners[t] == beside->learners[i]);
        assert_that(same, "%s: %d arms, %d learners (%d), share %d, run %u, round %zu: learner %d arm %d, not %d %d",
                    kernels_active()->name, m->arms, m->count, m->learners, m->share, run, t,
                    m->count > 0 ? beside->learners[i] : 0, beside->arms[i], alone.learners[t], alone.arms[t]);
    }
    forget(&alone);
}

/* Returns false if the runs cannot be played abreast, as with many arms and narrow vectors. */
static bool is_same(const match *m) {
    posse_environment *e = environment_of(m);
    posse *p = posse_of(m, e);
    posse_abreast *a = NULL;
    posse_error error = posse_abreast_create(e, &a);
    if (error == POSSE_OK) error = posse_abreast_add(a, p);
    if (error == POSSE_OK) {
        story beside;
        size_t width = posse_abreast_width(a);
        posse_trace trace = trace_of(&beside, m->rounds * width);
        assert_int_equal(posse_abreast_begin(a, m->first), POSSE_OK);
        play_abreast(a, m->rounds, trace);
        for (size_t i = 0; i < width; i++) assert_same_run(m, p, e, i, width, &beside);
        forget(&beside);
    }
    posse_abreast_free(a);
    posse_free(p);
    posse_environment_free(e);
    assert_true(error == POSSE_OK || error == POSSE_ERROR_ABSENT);
    return error == POSSE_OK;
}

static void assert_same(const match *m) {
    assert_true(is_same(m));
}

static void on_every_set(void (*law)(void)) {
    const char *before = kernels_active()->name;
    for (const char *const *name = kernels_names(); *name != NULL; name++)
        if (kernels_use(*name)) law();
    assert_true(kernels_use(before));
}

static const int some_arms[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 32};

static void learners_alone(void) {
    int compared = 0;
    for (int k = 0; k < LENGTH(some_arms); k++)
        for (int kind = UCB; kind <= THOMPSON; kind++)
            compared += is_same(&(match){.arms = some_arms[k],
                                         .learners = kind,
                                         .rounds = 400,
                                         .fixed = k % 2 == 1,
                                         .seed = (uint64_t)(k + 1) << 40 | 7,
                                         .first = (uint32_t)(k * 13)});
    assert_true(compared >= 8);
}

LAW(a_learner_alone_is_the_same_beside_others) {
    on_every_set(learners_alone);
}

static void teams(void) {
    static const int some_learners[] = {1, 2, 3, 6, 8, 9, 20, 64};
    int compared = 0;
    for (int k = 0; k < LENGTH(some_arms); k++)
        for (int i = 0; i < LENGTH(some_learners); i++)
            for (int kind = UCB; kind <= MIXED; kind++)
                compared += is_same(&(match){.arms = some_arms[k],
                                             .learners = kind,
                                             .count = some_learners[i],
                                             .share = (k + i + kind) % 2 == 1,
                                             .rounds = 200 + (size_t)(50 * (k % 3)),
                                             .fixed = i % 3 == 1,
                                             .seed = (uint64_t)(k * 100 + i),
                                             .first = (uint32_t)(i * 1001 + k)});
    assert_true(compared >= 30);
}

LAW(a_team_is_the_same_beside_others) {
    on_every_set(teams);
}

/* Long runs leave the tables that are used for small counts, and need several blocks of each stream. */
LAW(long_runs_are_the_same_beside_others) {
    for (int kind = UCB; kind <= MIXED; kind++) {
        assert_same(&(match){.arms = 3, .learners = kind, .count = 4, .rounds = 5000, .seed = 5});
        assert_same(&(match){.arms = 2, .learners = kind, .count = 2, .share = true, .rounds = 5000, .seed = 5});
    }
    assert_same(&(match){.arms = 2, .learners = UCB, .rounds = 70000, .seed = 5, .first = UINT32_MAX - 3});
    assert_same(&(match){.arms = 1, .learners = UCB, .count = 1, .rounds = 70000, .seed = 5});
}

static const match patient_teams[] = {
    {.patient = true, .patience = 40, .commitment = 1},  {.patient = true, .patience = 40, .commitment = 0},
    {.patient = true, .patience = 2, .commitment = 0.5}, {.patient = true, .patience = 40, .forgets = true},
    {.patient = true, .patience = 2, .forgets = true},   {.plus = true},
};

/* Weights of forgetting double in rounds 2, 8, 32, … times 40 arms, or 2 learners times arms. */
static void teams_with_patience(void) {
    static const int arms[] = {2, 3, 5, 8}, learners[] = {2, 3, 6};
    int compared = 0;
    for (int k = 0; k < LENGTH(patient_teams); k++)
        for (int a = 0; a < LENGTH(arms); a++)
            for (int i = 0; i < LENGTH(learners); i++)
                for (int kind = UCB; kind <= MIXED; kind++) {
                    match m = patient_teams[k];
                    m.arms = arms[a], m.count = learners[i], m.learners = kind;
                    m.share = (k + a + i + kind) % 2 == 1;
                    m.rounds = 700, m.seed = (uint64_t)(100 * k + a), m.first = (uint32_t)(i * 1001);
                    compared += is_same(&m);
                }
    assert_true(compared >= 60);
}

LAW(a_team_with_patience_is_the_same_beside_others) {
    on_every_set(teams_with_patience);
}

static void long_teams_with_patience(void) {
    for (int k = 0; k < LENGTH(patient_teams); k++)
        for (int kind = UCB; kind <= MIXED; kind++)
            for (int share = 0; share < 2; share++) {
                match m = patient_teams[k];
                m.arms = 3, m.count = 3, m.learners = kind, m.share = share == 1;
                m.rounds = (size_t)(6000 * law_effort()), m.seed = (uint64_t)k; /* weights reach 8 or 32 */
                assert_same(&m);
            }
}

LAW(long_runs_with_patience_are_the_same_beside_others) {
    on_every_set(long_teams_with_patience);
}

/* Charges and radii come from tables as long as the horizon. Rounds beyond the horizon must be the same as without
 * tables. */
LAW(runs_past_their_horizon_are_the_same_beside_others) {
    for (int k = 0; k < LENGTH(patient_teams); k++)
        for (int kind = UCB; kind <= MIXED; kind++) {
            match m = patient_teams[k];
            m.arms = 3, m.count = 3, m.learners = kind, m.horizon = 20, m.rounds = 2000, m.seed = (uint64_t)k;
            assert_same(&m);
        }
}

/* ---------------------------------------- which posses can take part ----------------------------------------- */

static posse_error joining(posse_abreast *a, posse *p) {
    posse_error error = posse_abreast_add(a, p);
    posse_free(p);
    return error;
}

static posse *selected(const posse_environment *e, posse_part selector, posse_part learner) {
    posse_part learners[] = {learner, {.kind = "ucb", .name = "other"}};
    posse_def def = posse_environment_def(e);
    def.selector = selector;
    def.learners = learners;
    def.learner_count = 2;
    def.rounds = 10;
    return posse_made(&def);
}

LAW(a_group_takes_whom_it_can_play) {
    const posse_part arms = {.kind = "gaussian", .options = {NUMBER("arms", 3)}}, ucb = {.kind = "ucb"};
    const posse_part bms = {.kind = "bms"};
    const posse_part batches = {.kind = "bms", .options = {NUMBER("batch", 2)}};
    const posse_part floors = {.kind = "bms", .options = {NUMBER("floor", 0.1)}};
    posse_environment *e = environment_made(&arms, 1), *other = environment_made(&arms, 2);
    posse_abreast *a;
    assert_int_equal(posse_abreast_create(e, &a), POSSE_OK);
    assert_int_equal(joining(a, alone_made(e, &ucb)), POSSE_OK);
    assert_int_equal(joining(a, alone_made(e, &(posse_part){.kind = "epsilon-greedy"})), POSSE_ERROR_ABSENT);
    assert_int_equal(joining(a, selected(e, bms, ucb)), POSSE_OK);
    assert_int_equal(joining(a, selected(e, batches, ucb)), POSSE_ERROR_ABSENT);
    assert_int_equal(joining(a, selected(e, floors, ucb)), POSSE_ERROR_ABSENT);
    assert_int_equal(joining(a, selected(e, (posse_part){.kind = "uniform"}, ucb)), POSSE_ERROR_ABSENT);
    assert_int_equal(joining(a, selected(e, bms, (posse_part){.kind = "epsilon-greedy"})), POSSE_ERROR_ABSENT);
    assert_int_equal(joining(a, alone_made(other, &ucb)), POSSE_ERROR_FIT);
    posse *retired = selected(e, bms, ucb);
    assert_int_equal(posse_learner_retire(retired, 0), POSSE_OK);
    assert_int_equal(joining(a, retired), POSSE_ERROR_ABSENT);
    assert_int_equal(posse_abreast_play(a, 1, 5, NULL), POSSE_OK);
    assert_int_equal(posse_abreast_play(a, 2, 5, NULL), POSSE_ERROR_ARGUMENT);
    posse_abreast_free(a);
    posse_environment_free(e);
    posse_environment_free(other);
}

/* Rewards beyond 1e100 must be refused one by one. Where they are possible, runs are not played abreast. */
LAW(a_group_takes_what_it_can_play) {
    static const double huge[] = {1e95, 0.0}, large[] = {1e89, 0.0};
    const struct {
        posse_part environment;
        posse_error error;
    } cases[] = {
        {{.kind = "bernoulli", .options = {NUMBER("arms", 2)}}, POSSE_ERROR_ABSENT},
        {{.kind = "gaussian", .options = {NUMBER("arms", 33)}}, POSSE_ERROR_ABSENT},
        {{.kind = "gaussian", .options = {NUMBER("arms", 2), LIST("means", huge)}}, POSSE_ERROR_ABSENT},
        {{.kind = "gaussian", .options = {NUMBER("arms", 2), LIST("prior.mean", huge)}}, POSSE_ERROR_ABSENT},
        {{.kind = "gaussian", .options = {NUMBER("arms", 2), LIST("prior.mean", large)}}, POSSE_OK},
    };
    for (int i = 0; i < LENGTH(cases); i++) {
        posse_environment *e = environment_made(&cases[i].environment, 1);
        posse_abreast *a = (posse_abreast *)e;
        assert_int_equal(posse_abreast_create(e, &a), cases[i].error);
        assert_int_equal(a == NULL, cases[i].error != POSSE_OK);
        posse_abreast_free(a);
        posse_environment_free(e);
    }
    assert_int_equal(posse_abreast_create(NULL, &(posse_abreast *){NULL}), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_abreast_begin(NULL, 0), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_abreast_add(NULL, NULL), POSSE_ERROR_ARGUMENT);
}

LAW(groups_survive_without_memory) {
    purse mine = {0};
    posse_host host = purse_host(&mine);
    posse_environment *e;
    const posse_part arms = {.kind = "gaussian", .options = {NUMBER("arms", 3)}};
    assert_int_equal(posse_environment_create(&arms, 1, &host, &e), POSSE_OK);
    posse *p = selected(e, (posse_part){.kind = "bms"}, (posse_part){.kind = "thompson"});
    size_t before = mine.blocks;
    posse_error error = POSSE_ERROR_MEMORY;
    for (size_t n = 1; error != POSSE_OK; n++) {
        posse_abreast *a;
        mine.calls = 0;
        mine.fail_at = n;
        error = posse_abreast_create(e, &a);
        if (error == POSSE_OK) error = posse_abreast_add(a, p);
        assert_int_equal(error, mine.calls < n ? POSSE_OK : POSSE_ERROR_MEMORY);
        if (error == POSSE_OK) assert_int_equal(posse_abreast_play(a, 0, 10, NULL), POSSE_OK);
        posse_abreast_free(a);
        assert_int_equal(mine.blocks, before);
    }
    posse_free(p);
    posse_environment_free(e);
}

/* ---------------------------------------------- recorded sheets ----------------------------------------------- */

static player *player_made(const agenda *a, player_control *control) {
    player *p = NULL;
    assert_int_equal(player_make(a, control, &(posse_logger){0}, &p), POSSE_OK);
    return p;
}

static bool same_sheets(const sheet *r, const sheet *s, const agenda *a) {
    size_t points = (size_t)(a->competitors * a->point_count), choices = (size_t)(a->selectors * a->point_count);
    size_t matching = (size_t)a->selectors * MATCHING_ROUNDS;
    return memcmp(r->numbers, s->numbers, r->number_count * sizeof(double)) == 0 &&
           memcmp(r->optimal, s->optimal, points) == 0 &&
           memcmp(r->choice, s->choice, choices * sizeof *r->choice) == 0 &&
           memcmp(r->matching_choice, s->matching_choice, matching * sizeof *r->matching_choice) == 0;
}

/* A single run is always played by itself; a dozen runs are played abreast where that is possible. */
static void assert_same_sheets(const experiment *e) {
    agenda *a = agenda_make(e);
    player_control control = {0};
    player_stop stop;
    assert_non_null(a);
    player *alone = player_made(a, &control), *many = player_made(a, &control);
    uint32_t count = player_runs(many) < 12 ? player_runs(many) : 12;
    assert_true(player_play(many, 3, count, &stop));
    for (uint32_t i = 0; i < count; i++) {
        assert_true(player_play(alone, 3 + i, 1, &stop));
        assert_that(same_sheets(player_sheet(alone, 0), player_sheet(many, i), a), "%s, run %u", e->name, 3 + i);
    }
    assert_int_equal(atomic_load(&control.rounds), 2 * count * agenda_rounds(a) / e->runs);
    player_free(alone);
    player_free(many);
    agenda_free(a);
}

LAW(runs_abreast_leave_the_same_sheets) {
    int abreast = 0;
    for (int i = 0; i < scene_count(); i++) {
        agenda *a = agenda_make(scene(i));
        player_control control = {0};
        player *p = player_made(a, &control);
        abreast += player_runs(p) > 1;
        player_free(p);
        agenda_free(a);
        assert_same_sheets(scene(i));
    }
    assert_true(abreast >= 4);
    experiment longer = *scene_named("teams");
    longer.rounds = 3001;
    assert_same_sheets(&longer);
}

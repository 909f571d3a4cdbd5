/* SPDX-License-Identifier: MIT */
/*
 * Sparse contexts. The same rounds are played by a posse that gets features in full, by one that gets them as pairs,
 * and by one whose states are sparse: all must agree to the bit. A fourth posse has the same features among 2^24, so
 * that they get slots as they come.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "menagerie.h"

#define ARMS 5
#define WIDTH 12
#define ROUNDS 300
#define MANY (1 << 24)

/* ----------------------------------------------------- rounds -------------------------------------------------- */

/* Arms with `own` features each, and `shared` ones of all. */
typedef struct setting {
    const char *name;
    int own, shared;
} setting;

static const setting settings[] = {{"own", WIDTH, 0}, {"both", 7, 5}, {"shared", 0, WIDTH}};

/* A round in every form. */
typedef struct brought {
    int count, arms[ARMS];
    double shared[WIDTH], points[ARMS * WIDTH];
    int indices[ARMS + 1][WIDTH];
    double values[ARMS + 1][WIDTH];
    posse_sparse sparse[ARMS + 1]; /* that of the shared features is the last */
    posse_context full, pairs;
} brought;

/* Two of three features are 0. A few that are 0 are listed all the same. spread: the distance of neighbouring indices.
 */
static void list_pairs(brought *b, int row, const double *features, int count, int spread, uint64_t *source) {
    int n = 0;
    for (int j = 0; j < count; j++) {
        if (features[j] == 0.0 && random_below(source, 9) > 0) continue;
        b->indices[row][n] = j * spread;
        b->values[row][n++] = features[j];
    }
    b->sparse[row] = (posse_sparse){n, b->indices[row], b->values[row]};
}

static double feature(uint64_t *source) {
    return random_below(source, 3) > 0 ? 0.0 : 2.0 * random_uniform(source) - 1.0;
}

static void bring(const setting *s, int spread, uint64_t *source, brought *b) {
    b->count = 0;
    while (b->count == 0)
        for (int a = 0; a < ARMS; a++)
            if (random_below(source, 3) > 0) b->arms[b->count++] = a;
    for (int j = 0; j < s->shared; j++) b->shared[j] = feature(source);
    for (int i = 0; i < b->count * s->own; i++) b->points[i] = feature(source);
    for (int k = 0; k < b->count; k++) list_pairs(b, k, b->points + k * s->own, s->own, spread, source);
    list_pairs(b, ARMS, b->shared, s->shared, spread, source);
    b->full = (posse_context){.count = b->count,
                              .arms = b->arms,
                              .shared = s->shared > 0 ? b->shared : NULL,
                              .points = s->own > 0 ? b->points : NULL};
    b->pairs = (posse_context){.count = b->count,
                               .arms = b->arms,
                               .sparse_shared = s->shared > 0 ? &b->sparse[ARMS] : NULL,
                               .sparse_points = s->own > 0 ? b->sparse : NULL};
}

static posse_def setting_def(const setting *s, const posse_part *selector, const posse_part *learners, int count) {
    posse_def def = posse_default_def();
    def.arms = ARMS;
    def.dim = s->own;
    def.context = s->shared;
    def.selector = *selector;
    def.learners = learners;
    def.learner_count = count;
    def.rounds = ROUNDS;
    return def;
}

/* The same posse with sparse states, and each feature `spread` further. */
static posse_def sparse_def(posse_def def, int spread) {
    def.nonzeros = WIDTH;
    def.dim *= spread;
    def.context *= spread;
    return def;
}

static posse_decision decided_in(posse *p, const posse_context *context) {
    posse_decision d;
    assert_int_equal(posse_decide(p, context, &d), POSSE_OK);
    return d;
}

static void assert_same_decision(const posse_decision *a, const posse_decision *b, const char *what, int round) {
    assert_that(a->arm == b->arm && a->learner == b->learner && a->id == b->id &&
                    memcmp(&a->probability, &b->probability, sizeof(double)) == 0,
                "%s, round %d: arm %d of learner %d, and arm %d of learner %d", what, round, a->arm, a->learner, b->arm,
                b->learner);
}

static void assert_same_insight(const posse *a, const posse_context *of_a, const posse *b, const posse_context *of_b) {
    double means[2][ARMS] = {{0.0}}, deviations[2][ARMS] = {{0.0}};
    assert_int_equal(posse_means(a, of_a, means[0]), POSSE_OK);
    assert_int_equal(posse_means(b, of_b, means[1]), POSSE_OK);
    assert_int_equal(posse_deviations(a, of_a, deviations[0]), POSSE_OK);
    assert_int_equal(posse_deviations(b, of_b, deviations[1]), POSSE_OK);
    assert_memory_equal(means[0], means[1], sizeof means[0]);
    assert_memory_equal(deviations[0], deviations[1], sizeof deviations[0]);
}

/* ------------------------------------------------ the same to the bit ------------------------------------------- */

static const posse_part linear_belief = {.kind = "linear", .options = {WORD("covariance", "diagonal")}},
                        unsure_belief = {.kind = "linear",
                                         .options = {WORD("covariance", "diagonal"), NUMBER("noise.shape", 3)}},
                        robust_belief = {.kind = "logistic",
                                         .options = {WORD("covariance", "diagonal"), NUMBER("robust", 1)}};
static const posse_part sparse_team[] = {
    {.kind = "linear-ucb", .options = {WORD("covariance", "diagonal"), NUMBER("width", 0.3)}},
    {.kind = "linear-thompson", .options = {WORD("covariance", "diagonal"), NUMBER("width", 0.2)}},
    {.kind = "logistic-ucb", .options = {WORD("covariance", "diagonal")}},
    {.kind = "logistic-thompson", .options = {WORD("covariance", "diagonal"), NUMBER("width", 0.5)}},
    {.kind = "epsilon-greedy", .options = {WORD("covariance", "diagonal")}},
    {.kind = "square-cb", .options = {WORD("covariance", "diagonal")}},
    {.kind = "sgd-epsilon-greedy"},
    {.kind = "sgd-softmax"},
    {.kind = "sgd-bag"},
    {.kind = "sgd-square-cb"},
    {.kind = "sgd-regcb", .options = {NUMBER("eliminate", 1)}},
    {.kind = "ucb"},
    {.kind = "thompson", .options = {{.key = "belief", .part = &linear_belief}}},
    {.kind = "sgd-cover"},
};

/* The last learner needs features that all arms share. */
static int sparse_team_size(const setting *s) {
    return s->own == 0 ? LENGTH(sparse_team) : LENGTH(sparse_team) - 1;
}

static double reward_for(const brought *b, const posse_decision *d, uint64_t *source) {
    double sum = 0.3 * d->arm;
    for (int i = 0; i < b->sparse[ARMS].count; i++) sum += b->values[ARMS][i] * ((i + d->arm) % 3 - 1);
    return random_uniform(source) < 1.0 / (1.0 + exp(-sum)) ? 1.0 : 0.0;
}

static void play_all(const setting *s, const posse_part *selector) {
    posse_def def = setting_def(s, selector, sparse_team, sparse_team_size(s)), other = sparse_def(def, 1);
    posse *full = posse_made(&def), *pairs = posse_made(&def), *sparse = posse_made(&other),
          *mixed = posse_made(&other);
    uint64_t source = 7;
    for (int n = 0; n < ROUNDS; n++) {
        brought b;
        bring(s, 1, &source, &b);
        posse_decision d = decided_in(full, &b.full), e = decided_in(pairs, &b.pairs), f = decided_in(sparse, &b.pairs);
        posse_decision g = decided_in(mixed, &b.full);
        assert_same_decision(&d, &e, s->name, n);
        assert_same_decision(&d, &f, s->name, n);
        assert_same_decision(&d, &g, s->name, n);
        assert_true(f.point == NULL);
        double reward = reward_for(&b, &d, &source);
        assert_int_equal(posse_learn(full, d.id, reward), POSSE_OK);
        assert_int_equal(posse_learn(pairs, e.id, reward), POSSE_OK);
        assert_int_equal(posse_learn(sparse, f.id, reward), POSSE_OK);
        assert_int_equal(posse_learn(mixed, g.id, reward), POSSE_OK);
        assert_same_insight(full, &b.full, sparse, &b.pairs);
        assert_same_insight(full, &b.full, pairs, &b.pairs);
    }
    posse_free(full), posse_free(pairs), posse_free(sparse), posse_free(mixed);
}

LAW(sparse_contexts_are_the_same_to_the_bit) {
    const posse_part selectors[] = {
        {.kind = "bms", .options = {{.key = "belief", .part = &linear_belief}, NUMBER("memory", 9)}},
        {.kind = "bms-plus", .options = {{.key = "belief", .part = &unsure_belief}, NUMBER("consider", 1)}},
        {.kind = "bms-plus", .options = {{.key = "belief", .part = &robust_belief}, NUMBER("hold", 0)}},
        {.kind = "bms",
         .options = {{.key = "belief", .part = &linear_belief}, WORD("memory", "all"), NUMBER("batch", 3)}},
    };
    for (int i = 0; i < LENGTH(settings); i++)
        for (int k = 0; k < LENGTH(selectors); k++) play_all(&settings[i], &selectors[k]);
}

/* Features get slots in the order in which they come. A learner alone does not notice. */
LAW(slots_are_only_names) {
    for (int i = 0; i < LENGTH(settings); i++)
        for (int k = 0; k < sparse_team_size(&settings[i]); k++) {
            const setting *s = &settings[i];
            int spread = MANY / WIDTH;
            /* The others draw weights slot by slot, or with a width that depends on the number of features. */
            bool alike = strstr(sparse_team[k].kind, "thompson") == NULL ||
                         (strcmp(sparse_team[k].kind, "logistic-thompson") == 0 && s->own == 0);
            if (!alike) continue;
            posse_part nobody = {0};
            posse_def few = sparse_def(setting_def(s, &nobody, &sparse_team[k], 1), 1), many = sparse_def(few, spread);
            posse *p = posse_made(&few), *q = posse_made(&many);
            uint64_t source = 3;
            for (int n = 0; n < ROUNDS; n++) {
                brought b, c;
                uint64_t again = source;
                bring(s, 1, &source, &b);
                bring(s, spread, &again, &c);
                posse_decision d = decided_in(p, &b.pairs), e = decided_in(q, &c.pairs);
                assert_same_decision(&d, &e, sparse_team[k].kind, n);
                double reward = reward_for(&b, &d, &source);
                assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
                assert_int_equal(posse_learn(q, e.id, reward), POSSE_OK);
            }
            assert_int_equal(posse_known_features(q), WIDTH);
            posse_free(p), posse_free(q);
        }
}

/* --------------------------------------------------- many features ---------------------------------------------- */

/* A round with 20 features among 2^24, of which there are ever new ones. */
typedef struct text {
    int indices[20];
    double values[20];
    posse_sparse words;
    posse_context context;
} text;

static void text_write(text *t, int n, uint64_t *source) {
    int at = 0;
    for (int i = 0; i < 20; i++) {
        at += 1 + (int)random_below(source, i < 10 ? 30 : 60 * (uint64_t)(n + 1));
        t->indices[i] = at;
        t->values[i] = 1.0;
    }
    t->words = (posse_sparse){20, t->indices, t->values};
    t->context = (posse_context){.sparse_shared = &t->words};
}

static posse *reader_made(void) {
    static const posse_part belief = {.kind = "logistic"};
    static const posse_part readers[] = {{.kind = "sgd-bag"}, {.kind = "logistic-ucb"}, {.kind = "sgd-cover"}};
    posse_def def = posse_default_def();
    def.arms = ARMS;
    def.context = MANY;
    def.nonzeros = 20;
    def.prior = belief;
    def.learners = readers;
    def.learner_count = LENGTH(readers);
    return posse_made(&def);
}

static void read_one(posse *p, int n, uint64_t *source, bool settle) {
    text t;
    text_write(&t, n, source);
    posse_decision d = decided_in(p, &t.context);
    if (settle) assert_int_equal(posse_learn(p, d.id, (t.indices[0] + d.arm) % 2), POSSE_OK);
}

static size_t saved_in(const posse *p, char **out) {
    size_t length = 0;
    assert_int_equal(posse_save(p, NULL, &length), POSSE_OK);
    *out = malloc(length);
    assert_non_null(*out);
    assert_int_equal(posse_save(p, *out, &length), POSSE_OK);
    return length;
}

/* States grow with the features that come, and a saved posse has them. */
LAW(posses_that_read_text_are_saved_with_their_words) {
    posse *p = reader_made(), *q;
    uint64_t source = 5, again;
    char *first, *second;
    for (int n = 0; n < 400; n++) read_one(p, n, &source, n % 7 > 0);
    assert_true(posse_known_features(p) > 2048);
    size_t length = saved_in(p, &first);
    assert_int_equal(posse_load_exact(first, length, NULL, &q), POSSE_OK);
    assert_int_equal(posse_known_features(q), posse_known_features(p));
    assert_int_equal(posse_nonzeros(q), 20);
    again = source;
    for (int n = 400; n < 600; n++) read_one(p, n, &source, true);
    for (int n = 400; n < 600; n++) read_one(q, n, &again, true);
    free(first);
    length = saved_in(p, &first);
    assert_int_equal(saved_in(q, &second), length);
    assert_memory_equal(first, second, length);
    for (size_t i = 0; i < length; i += length / 20 + 1) {
        first[i] ^= 0x40;
        posse *damaged;
        assert_int_not_equal(posse_load_exact(first, length, NULL, &damaged), POSSE_OK);
        first[i] ^= 0x40;
    }
    free(first), free(second), posse_free(p), posse_free(q);
}

/* What is refused, or only looked at, leaves no trace. */
LAW(words_that_are_only_looked_at_are_forgotten) {
    posse *p = reader_made(), *q = reader_made();
    uint64_t source = 5, again = 5, other = 99;
    for (int n = 0; n < 300; n++) {
        text t;
        double numbers[ARMS];
        int known = posse_known_features(q);
        text_write(&t, 1000 + n, &other);
        assert_int_equal(posse_means(q, &t.context, numbers), POSSE_OK);
        assert_int_equal(posse_deviations(q, &t.context, numbers), POSSE_OK);
        assert_int_equal(posse_propensities(q, &t.context, 3, &(posse_propensity){.arms = numbers}), POSSE_OK);
        assert_int_equal(posse_teach(q, &(posse_action){.arm = 1, .context = &t.context}, 2.0), POSSE_ERROR_REWARD);
        t.values[19] = NAN;
        posse_decision d;
        assert_int_equal(posse_decide(q, &t.context, &d), POSSE_ERROR_CONTEXT);
        assert_int_equal(posse_known_features(q), known);
        read_one(p, n, &source, true);
        read_one(q, n, &again, true);
    }
    text t;
    text_write(&t, 300, &source);
    posse_decision d = decided_in(p, &t.context), e = decided_in(q, &t.context);
    assert_same_decision(&d, &e, "looked at", 300);
    posse_free(p), posse_free(q);
}

/* A restart forgets all features. Arms are added and retired as in other posses. */
LAW(readers_restart_and_change_arms) {
    posse *p = reader_made(), *q = reader_made();
    uint64_t source = 5, again = 5;
    for (int n = 0; n < 300; n++) read_one(p, n, &source, true);
    assert_int_equal(posse_restart(p, 0), POSSE_OK);
    assert_int_equal(posse_known_features(p), 0);
    source = 5;
    for (int n = 0; n < 300; n++) {
        if (n == 100) assert_int_equal(posse_arm_add(p, NULL, NULL), POSSE_OK);
        if (n == 100) assert_int_equal(posse_arm_add(q, NULL, NULL), POSSE_OK);
        if (n == 200) assert_int_equal(posse_arm_retire(p, 2), POSSE_OK);
        if (n == 200) assert_int_equal(posse_arm_retire(q, 2), POSSE_OK);
        text t;
        text_write(&t, n, &source);
        text_write(&t, n, &again);
        posse_decision d = decided_in(p, &t.context), e = decided_in(q, &t.context);
        posse_decision same = e;
        same.id = d.id; /* ids continue */
        assert_same_decision(&d, &same, "restarted", n);
        assert_true(n <= 200 || d.arm != 2);
        assert_int_equal(posse_learn(p, d.id, (t.indices[0] + d.arm) % 2), POSSE_OK);
        assert_int_equal(posse_learn(q, e.id, (t.indices[0] + d.arm) % 2), POSSE_OK);
    }
    posse_free(p), posse_free(q);
}

/* ----------------------------------------------------- refusals ------------------------------------------------- */

typedef struct heard {
    char text[400];
} heard;

static void hear(void *context, const posse_place *place, const char *message) {
    heard *h = context;
    size_t length = place != NULL ? posse_place_text(place, h->text, sizeof h->text) : 0;
    snprintf(h->text + length, sizeof h->text - length, ": %s", message);
}

static void assert_told(posse *p, heard *h, posse_context context, const char *message) {
    posse_decision d;
    h->text[0] = '\0';
    assert_int_equal(posse_decide(p, &context, &d), POSSE_ERROR_CONTEXT);
    assert_that(strstr(h->text, message) != NULL, "\"%s\", not \"%s\"", h->text, message);
}

LAW(wrong_pairs_are_refused_by_name) {
    heard h = {{0}};
    posse_part learner = {.kind = "sgd-softmax"};
    posse_def def = posse_default_def();
    def.host.log = (posse_logger){hear, &h};
    def.arms = ARMS;
    def.context = MANY;
    def.nonzeros = 3;
    def.selector = (posse_part){0};
    def.learners = &learner;
    def.learner_count = 1;
    posse *p = posse_made(&def);
    const double ones[] = {1.0, 1.0, 1.0, 1.0}, wrong[] = {1.0, INFINITY};
    const int falling[] = {5, 4}, twice[] = {4, 4}, beyond[] = {3, MANY}, below[] = {-1, 3}, four[] = {1, 2, 3, 4};
#define PAIRS(...) ((posse_context){.sparse_shared = &(posse_sparse){__VA_ARGS__}})
    assert_told(p, &h, PAIRS(2, falling, ones), "context.shared[1]: feature 4 comes after feature 5");
    assert_told(p, &h, PAIRS(2, twice, ones), "the indices must rise");
    assert_told(p, &h, PAIRS(2, beyond, ones), "there is no feature 16777216");
    assert_told(p, &h, PAIRS(2, below, ones), "context.shared[0]: there is no feature -1");
    assert_told(p, &h, PAIRS(2, four, wrong), "context.shared[1]: inf is no feature");
    assert_told(p, &h, PAIRS(4, four, ones), "4 features are not 0, and this posse has room for 3 (nonzeros)");
    assert_told(p, &h, PAIRS(-2, four, ones), "-2 pairs");
    assert_told(p, &h, PAIRS(2, NULL, ones), "its indices or values are missing");
    assert_told(p, &h, (posse_context){0}, "context.shared: is missing");
    assert_told(p, &h,
                (posse_context){.sparse_shared = &(posse_sparse){2, four, ones},
                                .sparse_points = &(posse_sparse){2, four, ones}},
                "context.points: given, but rounds of this posse have none");
    assert_int_equal(posse_known_features(p), 0);
    posse_decision d = decided_in(p, &PAIRS(0, NULL, NULL)); /* nothing but zeros */
    assert_int_equal(posse_learn(p, d.id, 1.0), POSSE_OK);
    posse_free(p);
}

static void assert_no_posse(posse_def def, posse_part learner, const char *message) {
    heard h = {{0}};
    posse *p;
    def.host.log = (posse_logger){hear, &h};
    def.learners = &learner;
    def.learner_count = 1;
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_that(strstr(h.text, message) != NULL, "\"%s\", not \"%s\"", h.text, message);
}

LAW(what_cannot_be_sparse_is_refused) {
    posse_def def = posse_default_def();
    def.arms = ARMS;
    def.context = MANY;
    def.nonzeros = 100;
    def.selector = (posse_part){0};
    const double some[] = {1.0, 2.0};
    posse_part softmax = {.kind = "sgd-softmax"};
    assert_no_posse(def, (posse_part){.kind = "linear-ucb", .options = {WORD("covariance", "full")}},
                    "make it diagonal");
    assert_no_posse(def, (posse_part){.kind = "sgd-softmax", .options = {LIST("features", some)}},
                    "contexts are sparse");
    assert_no_posse(def, (posse_part){.kind = "linear-ucb", .options = {NUMBER("forget", 0.9)}}, "cannot forget");
    assert_no_posse(def, (posse_part){.kind = "linear-ucb", .options = {NUMBER("products", 1)}},
                    "products: given, but contexts are sparse");
    assert_no_posse(def, (posse_part){.kind = "sgd-bag", .options = {NUMBER("bags", 64)}}, "are too many");
    def.context = MANY + 1;
    assert_no_posse(def, softmax, "context: 16777217 is out of range");
    def.context = 100000;
    def.nonzeros = 0;
    assert_no_posse(def, softmax, "16777216 if contexts are sparse");
    def.nonzeros = 65537;
    assert_no_posse(def, softmax, "nonzeros: 65537 is out of range");
    def.context = 0;
    def.nonzeros = 3;
    assert_no_posse(def, (posse_part){.kind = "ucb"}, "rounds have no features");
}

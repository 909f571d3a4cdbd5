/* SPDX-License-Identifier: MIT */
/*
 * Tests of saving: a posse that was saved and loaded continues with the same decisions, damaged bytes are rejected, and
 * every posse that was ever saved can be loaded.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "menagerie.h"
#include "selector/selector.h"
#include "stage.h"

/* --------------------------------------------- the same decisions ---------------------------------------------- */

/* A posse is saved and loaded at some moment, and the loaded one again later. All three make the same decisions from
 * then on. */
static void marches_on(const habitat *h, posse_part selector, uint64_t seed) {
    purse mine = {0};
    parade r;
    parade_begin(&r, h, crew_made(h, selector, purse_host(&mine)), seed);
    parade_march(&r, (int)random_below(&r.source, 120));
    parade_join(&r);
    parade_march(&r, 1 + (int)random_below(&r.source, 100));
    parade_join(&r);
    parade_march(&r, 1000);
    parade_leave(&r);
    assert_int_equal(mine.blocks, 0);
}

static bool takes_a_belief(const char *kind) {
    for (int i = 0; i < posse_kind_count(POSSE_FAMILY_SELECTOR); i++) {
        if (strcmp(posse_kind_name(POSSE_FAMILY_SELECTOR, i), kind) != 0) continue;
        for (const posse_param *p = posse_kind_params(POSSE_FAMILY_SELECTOR, i); p->name != NULL; p++)
            if (strcmp(p->name, "belief") == 0) return true;
    }
    return false;
}

/* Every specimen of a selector, and every learner in every space, under every selector with every belief that fits
 * there. */
LAW(saved_is_same) {
    menagerie_add_examples();
    int count;
    const specimen *beliefs = menagerie(POSSE_FAMILY_BELIEF, &count);
    for (int f = 0; f < POSSE_FAMILY_COUNT; f++) assert_menagerie_complete((posse_family)f);
    for (int s = 0; s < posse_kind_count(POSSE_FAMILY_SELECTOR); s++) {
        const char *kind = posse_kind_name(POSSE_FAMILY_SELECTOR, s);
        for (int h = 0; h < HABITATS; h++)
            for (int variant = 0; variant < 4 && selector_fits(kind, &habitats[h]); variant++)
                marches_on(&habitats[h], selector_part(kind, variant % 2, variant < 2 ? 1 : 6), (uint64_t)variant + 1);
        for (int i = 0; i < count && takes_a_belief(kind); i++) {
            posse_part selector = selector_part(kind, i % 2, 1 + i % 3);
            selector = with_option(selector, (posse_option){.key = "belief", .part = &beliefs[i].part});
            marches_on(beliefs[i].home, selector, (uint64_t)i + 100);
        }
    }
    const specimen *selectors = menagerie(POSSE_FAMILY_SELECTOR, &count);
    for (int i = 0; i < count; i++) marches_on(selectors[i].home, selectors[i].part, (uint64_t)i + 200);
}

static void comes_and_goes(const habitat *h, const char *kind) {
    posse_part crew[TEAM_MAX];
    int kinds = habitat_team(h, crew);
    parade r;
    posse_host silent = {0};
    parade_begin(&r, h, crew_made(h, selector_part(kind, true, 3), silent), 31);
    parade_join(&r);
    parade_march(&r, 40);
    for (int i = 0; i < r.count; i++) {
        assert_int_equal(posse_learner_retire(r.marchers[i], 0), POSSE_OK);
        for (int k = 0; k < 9; k++)
            assert_int_equal(posse_learner_add(r.marchers[i], &crew[k % kinds], NULL), POSSE_OK);
    }
    parade_join(&r);
    parade_march(&r, 40);
    assert_int_equal(posse_learner_count(r.marchers[2]), kinds + 9);
    for (int i = 0; i < kinds + 9; i++) {
        assert_string_equal(posse_learner_name(r.marchers[2], i), posse_learner_name(r.marchers[0], i));
        assert_int_equal(posse_learner_active(r.marchers[2], i), posse_learner_active(r.marchers[0], i));
    }
    for (int i = 0; i < r.count; i++) assert_int_equal(posse_learner_retire(r.marchers[i], kinds + 2), POSSE_OK);
    parade_join(&r);
    parade_march(&r, 400);
    parade_leave(&r);
}

/* Also right after creation, in the middle of a batch, and after learners were added and retired. */
LAW(saved_is_same_when_learners_come_and_go) {
    for (int h = 0; h < HABITATS; h++)
        for (int s = 0; s < posse_kind_count(POSSE_FAMILY_SELECTOR); s++) {
            const char *kind = posse_kind_name(POSSE_FAMILY_SELECTOR, s);
            if (selector_fits(kind, &habitats[h])) comes_and_goes(&habitats[h], kind);
        }
}

/* The functions that read a posse return the same for both, or the same error. */
static void assert_look_the_same(const posse *a, const posse *b, size_t arms) {
    size_t count = (size_t)posse_learner_count(a);
    uint64_t plays[2][TEAM_MAX], clipped[2] = {0};
    double potentials[2][TEAM_MAX] = {{0}}, chances[2][TEAM_MAX], means[2][16] = {{0}};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(posse_plays(i == 0 ? a : b, plays[i]), POSSE_OK);
        assert_int_equal(posse_probabilities(i == 0 ? a : b, chances[i]), POSSE_OK);
    }
    assert_int_equal(posse_potentials(a, potentials[0]), posse_potentials(b, potentials[1]));
    assert_int_equal(posse_means(a, NULL, means[0]), posse_means(b, NULL, means[1]));
    assert_int_equal(posse_clipped(a, &clipped[0]), posse_clipped(b, &clipped[1]));
    assert_memory_equal(plays[0], plays[1], count * sizeof plays[0][0]);
    assert_memory_equal(chances[0], chances[1], count * sizeof chances[0][0]);
    assert_memory_equal(potentials[0], potentials[1], count * sizeof potentials[0][0]);
    assert_memory_equal(means[0], means[1], arms * sizeof means[0][0]);
    assert_int_equal(clipped[0], clipped[1]);
    assert_int_equal(posse_pending_count(a), posse_pending_count(b));
    assert_int_equal(posse_arm_count(a), posse_arm_count(b));
    assert_int_equal(posse_dim(a), posse_dim(b));
}

/* The values that an application can read are saved too. */
LAW(saved_looks_the_same) {
    for (int h = 0; h < HABITATS; h++)
        for (int s = 0; s < posse_kind_count(POSSE_FAMILY_SELECTOR); s++) {
            parade r;
            posse_host silent = {0};
            posse_part selector = selector_part(posse_kind_name(POSSE_FAMILY_SELECTOR, s), false, 1);
            if (!selector_fits(selector.kind, &habitats[h])) continue;
            parade_begin(&r, &habitats[h], crew_made(&habitats[h], selector, silent), 37);
            parade_march(&r, 80);
            parade_join(&r);
            assert_look_the_same(r.marchers[0], r.marchers[1], (size_t)(habitats[h].arms + habitats[h].dim));
            parade_leave(&r);
        }
}

LAW(saving_says_how_much_room_it_needs) {
    posse_host silent = {0};
    posse *p = crew_made(&habitats[ARMS_5], (posse_part){.kind = "bms"}, silent);
    size_t needed = 0, length;
    assert_int_equal(posse_save(p, NULL, &needed), POSSE_OK);
    uint8_t *buffer = malloc(needed + 8);
    memset(buffer, 0x5A, needed + 8);
    for (size_t given = 0; given < needed; given += 1 + given / 3) {
        length = given;
        assert_int_equal(posse_save(p, buffer, &length), POSSE_ERROR_BUFFER);
        assert_int_equal(length, needed);
        assert_int_equal(buffer[0], 0x5A);
    }
    length = needed + 8;
    assert_int_equal(posse_save(p, buffer, &length), POSSE_OK);
    assert_int_equal(length, needed);
    for (size_t i = needed; i < needed + 8; i++) assert_int_equal(buffer[i], 0x5A);
    free(buffer);
    posse_free(p);
}

/* ------------------------------------------------- damage ------------------------------------------------------ */

/* A small state with some of everything: a few learners, one of them retired, and pending decisions. */
static saved small_state_of(int at, posse_part selector) {
    const habitat *h = &habitats[at];
    posse_part crew[TEAM_MAX];
    posse_def def = habitat_def(h);
    def.selector = with_option(selector, (posse_option)NUMBER("share", at % 2));
    def.selector = with_option(def.selector, (posse_option)NUMBER("batch", 1 + at));
    if (brings_features(h)) { /* one stored play is enough to forge */
        def.selector = with_option(def.selector, (posse_option)NUMBER("memory", 1));
        def.selector = with_option(def.selector, (posse_option)NUMBER("candidates", 2));
    }
    def.learner_count = habitat_team(h, crew) < 4 ? 3 : 4;
    def.learners = crew;
    parade r;
    parade_begin(&r, h, posse_made(&def), 41);
    parade_march(&r, 25);
    assert_int_equal(posse_learner_retire(r.marchers[0], 1), POSSE_OK);
    parade_march(&r, 5);
    assert_true(posse_pending_count(r.marchers[0]) > 0);
    saved s = saved_from(r.marchers[0]);
    parade_leave(&r);
    return s;
}

static saved small_state(int at) {
    return small_state_of(at, (posse_part){.kind = "bms"});
}

static void assert_rejected(const uint8_t *bytes, size_t length) {
    purse mine = {0};
    posse_host host = purse_host(&mine);
    posse *p = (posse *)&mine;
    posse_error error = posse_load(bytes, length, &host, &p);
    assert_true(error == POSSE_ERROR_DAMAGED || error == POSSE_ERROR_VERSION);
    assert_null(p);
    assert_int_equal(mine.blocks, 0);
}

/* In a large state, which has stored plays, not every bit is tried. The step is odd, so that it visits every bit of
 * a byte. */
static size_t step_of(const saved *s) {
    return s->length < 4000 ? 1 : 2 * (s->length / 2000) + 1;
}

LAW(damaged_states_are_rejected) {
    for (int h = 0; h < HABITATS; h++) {
        saved s = small_state(h);
        size_t step = step_of(&s);
        for (size_t bit = 0; bit < 8 * s.length; bit += step) {
            s.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_rejected(s.bytes, s.length);
            s.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        for (size_t length = 0; length < s.length; length += step) assert_rejected(s.bytes, length);
        posse_free(saved_loaded(&s));
        saved_drop(&s);
    }
}

LAW(longer_states_are_rejected) {
    for (int h = 0; h < HABITATS; h++) {
        saved s = small_state(h);
        size_t length = s.length;
        s.bytes = realloc(s.bytes, length + 64);
        memset(s.bytes + length, 0, 64);
        for (size_t more = 1; more <= 64; more++) assert_rejected(s.bytes, length + more);
        for (size_t more = 8; more <= 64; more += 8) { /* even if length and checksum are right */
            s.length = length + more;
            saved_seal(&s);
            assert_rejected(s.bytes, s.length);
        }
        saved_drop(&s);
    }
}

/* The bytes are refused, and the log has the excerpt. */
static void assert_told(const saved *s, size_t length, const char *excerpt) {
    notes log = {0};
    posse_host host = {.log = notes_logger(&log)};
    posse *p;
    assert_int_not_equal(posse_load(s->bytes, length, &host, &p), POSSE_OK);
    assert_noted(&log, excerpt);
}

LAW(the_log_is_told_why_a_state_is_rejected) {
    char text[80];
    saved s = small_state(ARMS_5);
    assert_told(&s, 3, "not a saved posse");
    assert_told(&s, 20, "cut short: 20 bytes, and the header alone has 32");
    snprintf(text, sizeof text, "cut short: 200 of %zu bytes", s.length);
    assert_told(&s, 200, text);
    s.bytes[s.length - 1] ^= 1;
    assert_told(&s, s.length, "altered: its checksum does not match");
    s.bytes[s.length - 1] ^= 1;
    s.bytes[8] = 77;
    assert_told(&s, s.length, "format 77, and this library reads format");
    s.bytes[8] = 1;
    s.bytes[0] ^= 1;
    assert_told(&s, s.length, "not a saved posse");
    saved_drop(&s);
}

/* Also in a forged state with the right checksum: whichever word is wrong, there is a message in the log. */
LAW(the_log_is_told_of_every_forged_word) {
    for (int h = 0; h < HABITATS; h++) {
        saved s = small_state(h);
        for (size_t at = 32; at + 8 <= s.length; at += 8) {
            uint8_t before[8];
            notes log = {0};
            posse_host host = {.log = notes_logger(&log)};
            posse *p;
            memcpy(before, s.bytes + at, 8);
            memset(s.bytes + at, 0xff, 8);
            saved_seal(&s);
            posse_error error = posse_load(s.bytes, s.length, &host, &p);
            assert_that(error == POSSE_OK || error == POSSE_ERROR_MEMORY || log.count > 0, "%s at %zu: %s, and no word",
                        habitats[h].name, at, posse_error_name(error));
            if (error == POSSE_OK) posse_free(p);
            memcpy(s.bytes + at, before, 8);
        }
        saved_drop(&s);
    }
}

/* An unknown format gives another error than damage. */
LAW(other_formats_are_another_version) {
    saved s = small_state(ARMS_5);
    posse *p;
    s.bytes[8] = 9; /* the latest is 8 */
    assert_int_equal(posse_load(s.bytes, s.length, NULL, &p), POSSE_ERROR_VERSION);
    saved_drop(&s);
}

/* A posse that was loaded decides, learns and can be looked at. It may also return errors. */
static void live_on(posse *p) {
    int count = posse_learner_count(p);
    double *potentials = malloc((size_t)count * sizeof *potentials);
    uint64_t *plays = malloc((size_t)count * sizeof *plays);
    posse_potentials(p, potentials);
    posse_plays(p, plays);
    free(potentials);
    free(plays);
    for (int n = 0; n < 50; n++) {
        posse_decision d;
        if (stage_decide(p, &d) != POSSE_OK) return;
        assert_true(posse_learner_active(p, d.learner));
        assert_true(d.arm < p->space->arms || d.arm == -1);
        assert_true(d.probability > 0.0 && d.probability <= 1.0);
        posse_learn(p, d.id, 0.25 * (double)(n % 4));
    }
    posse_part again = recipe_part(p->members[count - 1].recipe);
    for (int n = 0; n < 3; n++) posse_learner_add(p, &again, NULL);
    double *point = calloc((size_t)p->space->dim + 1, sizeof *point);
    posse_arm_add(p, p->space->dim > 0 ? point : NULL, NULL);
    posse_arm_retire(p, 0);
    free(point);
    for (int n = 0; n < 5; n++) {
        posse_decision d;
        if (stage_decide(p, &d) == POSSE_OK) assert_true(d.arm == -1 || posse_arm_active(p, d.arm));
    }
}

/* Forges one bit. If the bytes are loaded, the posse must live on. Returns whether they were loaded. */
static bool forge(saved *s, size_t bit) {
    purse mine = {.limit = 1 << 20};
    posse_host host = purse_host(&mine);
    posse *p;
    s->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    saved_seal(s);
    bool loaded = posse_load(s->bytes, s->length, &host, &p) == POSSE_OK;
    assert_int_equal(p != NULL, loaded);
    if (loaded) live_on(p);
    posse_free(p);
    assert_int_equal(mine.blocks, 0);
    s->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    return loaded;
}

/*
 * The checksum is made right after the forgery. Then the bytes are rejected, or they are a posse that continues and
 * does no harm, which sanitizers check. The limit on memory keeps a forged number of arms small. Sanitizers look at
 * other bits, and at a third as many unless EVERY is set, because the fuzz target `load` forges these states under them
 * too.
 */
LAW(forged_states_do_no_harm) {
    int loaded = 0, tried = 0, count;
    const specimen *selectors = menagerie(POSSE_FAMILY_SELECTOR, &count);
    const bool sanitized = law_effort() < 1.0;
    const size_t least = sanitized && getenv("EVERY") == NULL ? 9 : 3, first = sanitized ? 0 : 1;
    for (int h = 0; h < HABITATS; h++)
        for (int k = 0; k < count; k++) {
            if (!specimen_fits(&selectors[k].part, &habitats[h])) continue;
            int only = specimen_fits(&selectors[k].part, &habitats[ARMS_5]) ? ARMS_5 : COINS_4;
            if (h != only && k > 0) continue; /* rivals use rewards only, in all habitats alike */
            saved s = small_state_of(h, selectors[k].part);
            size_t step = least * step_of(&s);
            for (size_t bit = 8 * SAVED_HEADER + ((size_t)k + first) % step; bit < 8 * s.length; bit += step, tried++)
                loaded += forge(&s, bit);
            saved_drop(&s);
        }
    assert_true(loaded > 1000 && tried - loaded > 1000);
}

/* A posse that has used the last id is rejected, because its ids would repeat. */
LAW(ids_that_run_out_are_damage) {
    posse_host silent = {0};
    posse *p = crew_made(&habitats[ARMS_5], (posse_part){.kind = "bms"}, silent);
    p->decisions = UINT64_MAX;
    saved s = saved_from(p);
    posse_free(p);
    assert_rejected(s.bytes, s.length);
    saved_drop(&s);
}

/* The path of a habitat's seed for the fuzz target `load`. */
static const char *seed_path(int at, char path[512]) {
    snprintf(path, 512, SOURCE_FOLDER "/tests/fuzz/corpus/load/%s", habitats[at].name);
    return path;
}

static void write_seed(int at) {
    char path[512];
    saved s = small_state(at);
    FILE *file = fopen(seed_path(at, path), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(s.bytes + SAVED_HEADER, 1, s.length - SAVED_HEADER, file), s.length - SAVED_HEADER);
    assert_int_equal(fclose(file), 0);
    saved_drop(&s);
}

/* The seeds of the fuzz target, bodies without headers, can still be loaded. POSSE_PIN=1 writes them again. */
LAW(fuzz_seeds_are_saved_posses) {
    for (int h = 0; h < HABITATS; h++) {
        char path[512];
        if (getenv("POSSE_PIN") != NULL) write_seed(h);
        saved s = small_state(h);
        s.bytes = realloc(s.bytes, 1 << 16);
        FILE *file = fopen(seed_path(h, path), "rb");
        assert_that(file != NULL, "%s is missing", path);
        s.length = SAVED_HEADER + fread(s.bytes + SAVED_HEADER, 1, (1 << 16) - SAVED_HEADER, file);
        fclose(file);
        saved_seal(&s);
        posse_free(saved_loaded(&s));
        saved_drop(&s);
    }
}

/* --------------------------------------- every saved posse can be loaded --------------------------------------- */

/* A part with a parameter at an end of its range. */
static posse_part at_an_end(posse_part base, const posse_param *p, bool high) {
    double value = high ? p->high : p->low;
    if (!high && p->flags & POSSE_PARAM_ABOVE) value = nextafter(value, INFINITY);
    if (high && p->flags & POSSE_PARAM_BELOW) value = nextafter(value, -INFINITY);
    return with_option(base, (posse_option){.key = p->name, .number = value});
}

static void assert_loadable(const posse *p, const char *what) {
    saved s = saved_from(p);
    posse *loaded;
    posse_error error = posse_load(s.bytes, s.length, NULL, &loaded);
    assert_that(error == POSSE_OK, "a posse saved with %s cannot be loaded: %s", what, posse_error_name(error));
    posse_free(loaded);
    saved_drop(&s);
}

/* Many rewards, very large and very small ones mixed. Some come a hundred rounds late. */
static void loads_after(const habitat *h, posse_family family, const posse_part *described, const char *what) {
    posse_part learners[] = {{.kind = "thompson"}, {.kind = "thompson"}};
    posse_def def = habitat_def(h);
    def.learners = learners;
    def.learner_count = 2;
    if (family == POSSE_FAMILY_LEARNER) learners[0] = *described;
    if (family == POSSE_FAMILY_SELECTOR) def.selector = *described;
    if (family == POSSE_FAMILY_BELIEF) def.selector.options[0] = (posse_option){.key = "belief", .part = described};
    posse *p = NULL;
    if (posse_create(&def, &p) != POSSE_OK) return; /* for example, there is no such arm */
    static const double rewards[] = {1.0, 0.0, 1e100, -1e100, 1e-100, 1.0};
    for (int n = 0; n < 1200; n++) {
        posse_decision d;
        assert_int_equal(stage_decide(p, &d), POSSE_OK);
        assert_that(d.probability > 0.0 && d.probability <= 1.0, "%s: probability %g", what, d.probability);
        uint64_t due = n % 5 > 0 ? d.id : n >= 100 ? d.id - 100 : 0;
        if (due > 0) assert_int_equal(posse_learn(p, due, h->unit ? n % 2 : rewards[n % LENGTH(rewards)]), POSSE_OK);
        if (n % 50 == 0) assert_loadable(p, what);
    }
    assert_loadable(p, what);
    posse_free(p);
}

static const posse_param *params_of(posse_family family, const char *kind) {
    for (int i = 0; i < posse_kind_count(family); i++)
        if (strcmp(posse_kind_name(family, i), kind) == 0) return posse_kind_params(family, i);
    return NULL;
}

static void loads_at_the_ends(posse_family family) {
    int count;
    const specimen *all = menagerie(family, &count);
    for (int i = 0; i < count; i++)
        for (const posse_param *p = params_of(family, all[i].part.kind); p->name != NULL; p++) {
            if (p->type != POSSE_TYPE_REAL && p->type != POSSE_TYPE_REALS) continue;
            for (int high = 0; high < 2; high++) {
                char what[96];
                posse_part extreme = at_an_end(all[i].part, p, high);
                snprintf(what, sizeof what, "%s.%s at its %s", extreme.kind, p->name, high ? "most" : "least");
                loads_after(all[i].home, family, &extreme, what);
            }
        }
}

/* Options and rewards at the ends of their ranges are allowed, so the resulting states must be loadable. */
LAW(extremes_can_be_saved_and_loaded) {
    menagerie_add_examples();
    loads_at_the_ends(POSSE_FAMILY_LEARNER);
    loads_at_the_ends(POSSE_FAMILY_BELIEF);
    loads_at_the_ends(POSSE_FAMILY_SELECTOR);
}

/*
 * Corral at rates up to the highest, with rewards that come when the probability of their learner has changed much. The
 * sum of its probabilities must not drift from 1, because posse_load rejects other sums as damage.
 */
LAW(corral_can_be_saved_at_any_rate) {
    static const posse_part crew[] = {{.kind = "fixed", .options = {NUMBER("arm", 0)}},
                                      {.kind = "fixed", .options = {NUMBER("arm", 1)}}};
    for (double rate = 1.0; rate <= 1e6; rate *= 10.0) {
        posse_def def = habitat_def(&habitats[ARMS_5]);
        def.selector = (posse_part){.kind = "corral", .options = {NUMBER("rate", rate)}};
        def.learners = crew;
        def.learner_count = 2;
        def.rounds = 1000000;
        parade r;
        parade_begin(&r, &habitats[COINS_4], posse_made(&def), 9);
        for (int n = 0; n < 300; n++) {
            double chances[2];
            parade_march(&r, 10);
            assert_int_equal(posse_probabilities(r.marchers[0], chances), POSSE_OK);
            assert_that(fabs(chances[0] + chances[1] - 1.0) <= 1e-12, "rate %g: probabilities add up to 1 %+g", rate,
                        chances[0] + chances[1] - 1.0);
            assert_loadable(r.marchers[0], "corral at a high rate");
        }
        parade_leave(&r);
    }
}

/* ------------------------------------------------ pairs of rounds ---------------------------------------------- */

static posse *loaded_copy(const posse *p) {
    saved s = saved_from(p);
    posse *copy = saved_loaded(&s);
    saved_drop(&s);
    return copy;
}

static void assert_same_state(const posse *a, const posse *b) {
    saved s = saved_from(a), t = saved_from(b);
    bool same = saved_equal(&s, &t);
    saved_drop(&s);
    saved_drop(&t);
    assert_true(same);
}

/* A posse is saved between the two rounds of a pair, and with both waiting for rewards. It is saved which one was a
 * probe. */
LAW(pairs_can_be_saved_in_the_middle) {
    for (int share = 0; share < 2; share++) {
        posse_host silent = {0};
        posse *p = crew_made(&habitats[ARMS_5], selector_part("stochastic-corral", share, 1), silent);
        for (int n = 0; n < 60; n++) {
            posse_decision first = decided(p);
            posse *between = loaded_copy(p);
            posse_decision second = decided(p);
            posse *after = loaded_copy(p);
            posse_decision d = decided(between);
            assert_true(second.probe && d.probe && d.arm == second.arm && d.learner == second.learner);
            posse *all[] = {p, between, after};
            for (int i = 0; i < 3; i++) {
                assert_int_equal(posse_learn(all[i], second.id, 0.75), POSSE_OK);
                assert_int_equal(posse_learn(all[i], first.id, 0.25), POSSE_OK);
                assert_same_state(p, all[i]);
            }
            posse_free(between);
            posse_free(after);
        }
        posse_free(p);
    }
}

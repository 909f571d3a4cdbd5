/* SPDX-License-Identifier: MIT */
/* Saved posses of every format and every released version make the decisions that they would have made then. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "menagerie.h"
#include "selector/charges.h"
#include "selector/selector.h"
#include "stage.h"

/* ------------------------------------------------ the format --------------------------------------------------- */

/*
 * The same posse saved in each format, and the decisions it made next. When a new format is added, these must still be
 * read: do not replace them, but add to them. (Each was printed by this test with POSSE_PIN=1, when it was the latest.)
 */
#include "saved_format_1.h"
#include "saved_format_2.h"
#include "saved_format_3.h"

static posse *pinned_posse(void) {
    static const posse_part learners[] = {{.kind = "ucb", .options = {NUMBER("width", 0.5)}},
                                          {.kind = "thompson", .name = "second"}};
    posse_def def = posse_default_def();
    def.selector = algorithm_1;
    def.arms = 3;
    def.prior = (posse_part){.kind = "gaussian", .options = {NUMBER("sd", 2.0)}};
    def.learners = learners;
    def.learner_count = 2;
    def.seed = 20260101;
    parade r;
    parade_begin(&r, &habitats[ARMS_5], posse_made(&def), 43);
    parade_march(&r, 20);
    return r.marchers[0];
}

#define PINNED_ROUNDS 40

/* Two digits a decision: learner and arm. */
static void write_decisions(posse *p, char text[2 * PINNED_ROUNDS + 1]) {
    for (int n = 0; n < PINNED_ROUNDS; n++) {
        posse_decision d;
        assert_int_equal(stage_decide(p, &d), POSSE_OK);
        assert_int_equal(posse_learn(p, d.id, parade_reward(false, &d)), POSSE_OK);
        snprintf(text + 2 * n, 3, "%d%d", d.learner, d.arm);
    }
}

static void print_pinned(void) {
    posse *p = pinned_posse();
    saved s = saved_from(p);
    char decisions[2 * PINNED_ROUNDS + 1];
    write_decisions(p, decisions);
    printf("static const char saved_format_3[] =");
    for (size_t i = 0; i < s.length; i++)
        printf(i % 56 == 0 ? "\n    \"%02x" : "%02x%s", s.bytes[i], (i + 1) % 56 == 0 ? "\"" : "");
    printf("%s;\n", s.length % 56 == 0 ? "" : "\"");
    assert_string_equal(decisions, decided_next);
    saved_drop(&s);
    posse_free(p);
}

static saved from_hex(const char *text) {
    saved s = {malloc(strlen(text) / 2), strlen(text) / 2};
    for (size_t i = 0; i < s.length; i++) {
        unsigned byte;
        assert_int_equal(sscanf(text + 2 * i, "%2x", &byte), 1);
        s.bytes[i] = (uint8_t)byte;
    }
    return s;
}

/* The loaded posse equals the one that was saved, and makes the same decisions. */
static void goes_on_from(const saved *s, const saved *as_written_today) {
    char decisions[2 * PINNED_ROUNDS + 1];
    posse *p = saved_loaded(s);
    saved again = saved_from(p);
    assert_true(saved_equal(&again, as_written_today));
    write_decisions(p, decisions);
    assert_string_equal(decisions, decided_next);
    saved_drop(&again);
    posse_free(p);
}

LAW(saved_formats_are_pinned) {
    if (getenv("POSSE_PIN") != NULL) print_pinned();
    posse *fresh = pinned_posse();
    saved formats[] = {from_hex(saved_format_1), from_hex(saved_format_2), from_hex(saved_format_3)};
    saved today = saved_from(fresh);
    assert_true(saved_equal(&formats[2], &today)); /* the latest format is still written in this way */
    for (int i = 0; i < LENGTH(formats); i++) {
        goes_on_from(&formats[i], &today);
        saved_drop(&formats[i]);
    }
    saved_drop(&today);
    posse_free(fresh);
}

/* --------------------------------------------- other defaults -------------------------------------------------- */

/* `bms-plus` under another name, whose defaults can be changed as another version might do. */
static posse_param changing[16];

static void set_default(const char *name, double value, unsigned flags) {
    for (posse_param *p = changing; p->name != NULL; p++)
        if (strcmp(p->name, name) == 0) p->fallback = value, p->flags = flags;
}

static void set_defaults(double plays, double logarithm, double share, unsigned flags) {
    set_default("patience", plays, flags);
    set_default("commitment", logarithm, flags);
    set_default("share", share, flags);
}

static void register_changing(void) {
    static posse_selector_ops ops;
    int count = 0;
    while (bms_plus_params[count].name != NULL) count++;
    assert_true(count < LENGTH(changing));
    memcpy(changing, bms_plus_params, (size_t)count * sizeof *changing);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"patience", "commitment", "share"};
        int k = 0;
        while (k < count && strcmp(changing[k].name, names[i]) != 0) k++;
        assert_that(k < count && changing[k].flags & POSSE_PARAM_KEPT, "%s of bms-plus is not kept", names[i]);
    }
    ops = selector_bms_plus;
    ops.kind.name = "bms-changing";
    ops.kind.params = changing;
    assert_int_equal(posse_selector_register(&ops), POSSE_OK);
}

static posse *bms_changing(void) {
    posse *p = crew_made(&habitats[ARMS_5], (posse_part){.kind = "bms-changing"}, (posse_host){0});
    for (int n = 0; n < 300; n++) {
        posse_decision d = decided(p);
        assert_int_equal(posse_learn(p, d.id, d.arm % 3 / 2.0), POSSE_OK);
    }
    return p;
}

static void assert_same_decisions(posse *a, posse *b) {
    for (int n = 0; n < 300; n++) {
        posse_decision d = decided(a), e = decided(b);
        assert_true(d.learner == e.learner && d.arm == e.arm);
        assert_int_equal(posse_learn(a, d.id, d.arm % 3 / 2.0), POSSE_OK);
        assert_int_equal(posse_learn(b, e.id, d.arm % 3 / 2.0), POSSE_OK);
    }
}

/* A save of a version with other defaults decides as it did there. A save without any values still loads. */
LAW(defaults_that_may_change_are_saved) {
    register_changing();
    for (int old = 0; old < 2; old++) {
        set_defaults(40.0, 0.0, 1.0, old ? 0 : POSSE_PARAM_KEPT);
        posse *p = bms_changing();
        saved s = saved_from(p);
        if (!old) set_defaults(3.0, 1.0, 0.0, POSSE_PARAM_KEPT);
        posse *loaded = saved_loaded(&s);
        assert_same_decisions(p, loaded);
        posse_free(p);
        posse_free(loaded);
        saved_drop(&s);
    }
}

/* -------------------------------------------- released versions ------------------------------------------------ */

/*
 * saved/VERSION/NAME.posse was saved by that version, after sixty rounds in which some rewards had not come yet.
 * NAME.next has the learner, the arm and, on the ball, the first coordinate of its next hundred decisions. Both are as
 * the version wrote them: a new version adds its own folder, and no file is ever changed.
 */
static double replayed_reward(int arm, int n, bool unit) {
    double reward = ((arm + 2) * 7 + n * 5) % 11 / 10.0;
    return unit ? reward : 2.0 * reward - 0.7;
}

static saved read_saved(const char *path) {
    saved s = {malloc(1 << 16), 0};
    FILE *in = fopen(path, "rb");
    assert_that(in != NULL, "%s cannot be read", path);
    s.length = fread(s.bytes, 1, 1 << 16, in);
    fclose(in);
    return s;
}

static void assert_goes_on(const char *folder, const char *name) {
    char path[500];
    snprintf(path, sizeof path, "%s/%s.posse", folder, name);
    saved s = read_saved(path);
    posse *p = saved_loaded(&s);
    snprintf(path, sizeof path, "%s/%s.next", folder, name);
    FILE *next = fopen(path, "r");
    assert_that(next != NULL, "%s cannot be read", path);
    int learner, arm;
    double point;
    for (int n = 0; fscanf(next, "%d %d %la", &learner, &arm, &point) == 3; n++) {
        posse_decision d = decided(p);
        bool same = d.learner == learner && d.arm == arm && (arm >= 0 || d.point[0] == point);
        assert_that(same, "%s/%s decides otherwise in round %d", folder, name, n);
        assert_int_equal(posse_learn(p, d.id, replayed_reward(d.arm, n, posse_unit_rewards(p))), POSSE_OK);
    }
    assert_int_equal(posse_pending_count(p), 4); /* pending from the sixty rounds */
    fclose(next);
    posse_free(p);
    saved_drop(&s);
}

LAW(saves_of_every_released_version_go_on) {
    static const char *const names[] = {"ball",     "bms",    "corral",  "d3rb",   "ed2rb", "exp3p",
                                        "gaussian", "greedy", "mixture", "points", "ucb",   "uniform"};
    static const char *const versions[] = {SAVED_FOLDER "/0.1.0", SAVED_FOLDER "/0.2.0"};
    for (int v = 0; v < LENGTH(versions); v++)
        for (int i = 0; i < LENGTH(names); i++) assert_goes_on(versions[v], names[i]);
}

/* Before 0.3, options without effect were accepted. Such a posse loads, decides as before, and gets more arms. */
LAW(saves_with_options_without_effect_go_on) {
    assert_goes_on(SAVED_FOLDER "/idle-options", "idle");
    saved s = read_saved(SAVED_FOLDER "/idle-options/idle.posse");
    posse *p;
    posse_part learner = {.kind = "epsilon-greedy", .options = {NUMBER("precision", 7)}};
    assert_int_equal(posse_load_exact(s.bytes, s.length, NULL, &p), POSSE_OK);
    assert_int_equal(posse_learner_add(p, &learner, NULL), POSSE_OK); /* as a log of that version has it */
    assert_int_equal(posse_set_epoch(p, 7), POSSE_OK);
    for (int i = 0; i < 8; i++) {
        posse_part added = {.kind = "ucb"};
        assert_int_equal(posse_learner_add(p, &added, NULL), POSSE_OK);
    }
    assert_int_equal(posse_arm_add(p, NULL, NULL), POSSE_OK);
    assert_refused(p, posse_learner_add(p, &learner, NULL), POSSE_ERROR_FIT);
    saved again = saved_from(p);
    posse_free(saved_loaded(&again));
    posse_free(p);
    saved_drop(&s);
    saved_drop(&again);
}

/*
 * 8 arms of 12 coordinates, whose learners have wide bounds and a precision of 1, as earlier versions had by default
 * and did not save.
 */
LAW(saves_with_former_defaults_go_on) {
    assert_goes_on(SAVED_FOLDER "/before-narrow-widths", "points");
}

static posse_decision replayed_round(posse *p, int n) {
    double features[3];
    for (int j = 0; j < 3; j++) features[j] = (n * 7 + j * 3) % 11 / 5.0 - 1.0;
    posse_decision d;
    assert_int_equal(posse_decide(p, &(posse_context){.shared = features}, &d), POSSE_OK);
    assert_int_equal(posse_learn(p, d.id, 0.25 * d.arm + (n * 13 + d.arm * 5) % 17 / 8.0 - 1.0), POSSE_OK);
    return d;
}

/*
 * bms-plus with 4 arms, 3 features and a belief in far too much noise, after sixty rounds. Later versions would ask all
 * learners from round 64 on. This one was made before they did, and did not save `consider`.
 */
LAW(saves_from_before_trials_go_on) {
    saved s = read_saved(SAVED_FOLDER "/before-trials/contexts.posse");
    posse *p = saved_loaded(&s);
    FILE *next = fopen(SAVED_FOLDER "/before-trials/contexts.next", "r");
    assert_non_null(next);
    int learner, arm, n = 60;
    double point;
    for (; fscanf(next, "%d %d %la", &learner, &arm, &point) == 3; n++) {
        posse_decision d = replayed_round(p, n);
        assert_that(d.learner == learner && d.arm == arm, "another decision in round %d", n);
    }
    assert_int_equal(n, 160);
    saved again = saved_from(p);
    posse *loaded = saved_loaded(&again);
    for (; n < 260; n++) {
        posse_decision d = replayed_round(p, n), e = replayed_round(loaded, n);
        assert_true(d.learner == e.learner && d.arm == e.arm);
    }
    fclose(next);
    posse_free(p);
    posse_free(loaded);
    saved_drop(&s);
    saved_drop(&again);
}

/* Before `bms-plus` existed, the default selector was saved as `bms` with three options. */
LAW(saves_of_the_default_before_bms_plus_go_on) {
    assert_goes_on(SAVED_FOLDER "/before-bms-plus", "default");
}

/* SPDX-License-Identifier: MIT */
#include "experiment/play/player.h"

#include <math.h>
#include <stdlib.h>

#include "common/carve.h"
#include "experiment/record/recorder.h"
#include "experiment/record/valuer.h"
#include "posse_abreast.h"
#include "posse_inside.h"

/* Rounds that a run by itself plays at a time: their trace stays in the first two levels of cache. */
#define STRETCH 4096

/*
 * Runs that are played abreast have counts of their own. With more counts to a run than this, they would take too much
 * memory.
 */
#define COUNTS_MOST 16384

struct player {
    const agenda *agenda;
    player_control *control;
    posse_environment *environment;
    posse **posses;   /* selectors, then solos */
    posse_part *team; /* M: the learners of a posse in the making */

    posse_abreast *abreast; /* NULL: no posse can play runs abreast */
    int *abreast_place;     /* of each posse among those that play abreast, or -1 */
    size_t width;           /* runs that can be played at once */

    posse_trace trace;         /* a stretch of play, an entry for each round and run */
    posse_appraisal appraisal; /* the same on a log */
    size_t entries;
    void *trace_memory;
    recorder *recorder;
    valuer *valuer; /* in place of a recorder where there is a log; else NULL */
};

/* --------------------------------------------- making and freeing ------------------------------------------ */

static int posse_count(const player *p) {
    return p->agenda->selectors + p->agenda->solos;
}

static void player_lay(player *p, carving *c) {
    size_t posses = (size_t)posse_count(p);
    carve(c, 1, sizeof *p);
    p->posses = carve(c, posses, sizeof *p->posses);
    p->team = carve(c, (size_t)p->agenda->learners, sizeof *p->team);
    p->abreast_place = carve(c, posses, sizeof *p->abreast_place);
}

/* A learner alone is a posse without a selector. It keeps its name, and so it has the same randomness. */
posse_error player_posse(const agenda *a, const posse_environment *environment, int place, const posse_part *selector,
                         posse_part *room, posse **out) {
    const experiment *e = a->experiment;
    posse_def def = posse_environment_def(environment);
    bool alone = place >= a->selectors;
    int solo = place - a->selectors;
    selector_team team = alone ? (selector_team){&solo, 1} : e->teams[place];
    for (int k = 0; k < team.count; k++) room[k] = e->learners[team.learners[k]];
    def.selector = selector != NULL ? *selector : (posse_part){0};
    def.learners = room;
    def.learner_count = team.count;
    def.rounds = a->task_rounds;
    return posse_create(&def, out);
}

static posse_error player_make_posse(player *p, int place) {
    const agenda *a = p->agenda;
    const posse_part *selector = place < a->selectors ? &a->experiment->selectors[place] : NULL;
    return player_posse(a, p->environment, place, selector, p->team, &p->posses[place]);
}

/* Whether there is enough memory for many runs at once, and no task begins between two rounds. */
static bool may_be_abreast(const agenda *a) {
    return a->tasks == 1 && a->arms > 0 && (size_t)a->selectors * (size_t)a->learners * (size_t)a->arms <= COUNTS_MOST;
}

/* Adds every posse that can be played abreast to the group of runs. */
static posse_error make_abreast(player *p) {
    int joined = 0;
    p->width = 1;
    for (int i = 0; i < posse_count(p); i++) p->abreast_place[i] = -1;
    if (!may_be_abreast(p->agenda)) return POSSE_OK;
    posse_error error = posse_abreast_create(p->environment, &p->abreast);
    if (error == POSSE_ERROR_ABSENT) return POSSE_OK;
    for (int i = 0; i < posse_count(p) && error == POSSE_OK; i++) {
        error = posse_abreast_add(p->abreast, p->posses[i]);
        if (error == POSSE_OK) p->abreast_place[i] = joined++;
        if (error == POSSE_ERROR_ABSENT) error = POSSE_OK;
    }
    if (joined > 0) {
        p->width = posse_abreast_width(p->abreast);
    } else {
        posse_abreast_free(p->abreast);
        p->abreast = NULL;
    }
    return error;
}

static void lay_trace(player *p, carving *c) {
    p->trace.learners = carve(c, p->entries, sizeof *p->trace.learners);
    p->trace.arms = carve(c, p->entries, sizeof *p->trace.arms);
    p->trace.regrets = carve(c, p->entries, sizeof *p->trace.regrets);
    p->trace.floors = carve(c, p->entries, sizeof *p->trace.floors);
    p->appraisal.learners = p->trace.learners;
    p->appraisal.terms = p->trace.regrets;
    if (!p->agenda->logged) return;
    p->appraisal.weights = carve(c, p->entries, sizeof *p->appraisal.weights);
    p->appraisal.rewards = carve(c, p->entries, sizeof *p->appraisal.rewards);
}

/* Makes the trace and the records, whose sizes depend on how many runs are played at once. */
static posse_error make_records(player *p) {
    size_t abreast = p->abreast != NULL ? p->width * posse_abreast_stretch(p->abreast) : 0;
    p->entries = abreast > STRETCH ? abreast : STRETCH;
    carving c = {0};
    lay_trace(p, &c);
    p->trace_memory = malloc(c.used);
    if (p->agenda->logged)
        p->valuer = valuer_make(p->agenda);
    else
        p->recorder = recorder_make(p->agenda, p->width, p->entries);
    if (p->trace_memory == NULL || (p->recorder == NULL && p->valuer == NULL)) return POSSE_ERROR_MEMORY;
    c = (carving){.base = p->trace_memory};
    lay_trace(p, &c);
    return POSSE_OK;
}

posse_error player_make(const agenda *a, player_control *control, const posse_logger *log, player **out) {
    player shape = {.agenda = a, .control = control};
    carving c = {0};
    player_lay(&shape, &c);
    player *p = *out = calloc(1, c.used);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = shape;
    c = (carving){.base = (char *)p};
    player_lay(p, &c);
    posse_host host = {.log = *log};
    const experiment *e = a->experiment;
    posse_error error = posse_environment_create(&e->environment, e->seed, &host, &p->environment);
    for (int i = 0; i < posse_count(p) && error == POSSE_OK; i++) error = player_make_posse(p, i);
    if (error == POSSE_OK) error = make_abreast(p);
    if (error == POSSE_OK) error = make_records(p);
    if (error == POSSE_OK) return POSSE_OK;
    player_free(p);
    *out = NULL;
    return error;
}

void player_free(player *p) {
    if (p == NULL) return;
    recorder_free(p->recorder);
    valuer_free(p->valuer);
    free(p->trace_memory);
    posse_abreast_free(p->abreast);
    for (int i = 0; i < posse_count(p); i++) posse_free(p->posses[i]);
    posse_environment_free(p->environment);
    free(p);
}

uint32_t player_runs(const player *p) {
    return (uint32_t)p->width;
}

const sheet *player_sheet(const player *p, uint32_t i) {
    return p->valuer != NULL ? valuer_sheet(p->valuer) : recorder_sheet(p->recorder, i);
}

/* ------------------------------------------------- stretches ------------------------------------------------ */

static bool player_halted(const player *p) {
    return atomic_load(&p->control->halt);
}

static size_t player_rounds_at_once(const player *p, uint64_t round, size_t most) {
    uint64_t left = p->agenda->experiment->rounds - round;
    return left < most ? (size_t)left : most;
}

/* The trace that is asked of a competitor. A learner alone makes every choice itself, and its arms are not recorded. */
static posse_trace trace_for(const player *p, int who) {
    bool selects = who < p->agenda->selectors;
    return (posse_trace){selects ? p->trace.learners : NULL, selects ? p->trace.arms : NULL, p->trace.regrets,
                         selects ? p->trace.floors : NULL};
}

/* Replaces the posse's own numbers of its learners by their places in the experiment. */
static void name_choices(player *p, int s, size_t count) {
    const int *learners = p->agenda->experiment->teams[s].learners;
    for (size_t i = 0; i < count; i++) p->trace.learners[i] = learners[p->trace.learners[i]];
}

/* Hands a stretch that has been played to the recorder. */
static void player_record(player *p, int who, const recorder_group *runs, size_t rounds) {
    if (who < p->agenda->selectors) name_choices(p, who, rounds * runs->width);
    recorder_take(p->recorder, who, &p->trace, rounds);
    atomic_fetch_add(&p->control->rounds, rounds * runs->wanted);
}

static double clipped_by(const player *p, int who) {
    uint64_t clipped;
    bool counted = who < p->agenda->selectors && posse_clipped(p->posses[who], &clipped) == POSSE_OK;
    return counted ? (double)clipped : NAN;
}

/* --------------------------------------------------- runs --------------------------------------------------- */

/*
 * Begins a run or, in the middle of a run, its next task. If there are several tasks, each has an instance that the
 * recorder has not met.
 */
static posse_error player_begin_task(player *p, int who, uint32_t run, size_t i, uint64_t round) {
    posse_error error = POSSE_OK;
    if (round == 0)
        posse_environment_begin(p->environment, run);
    else
        error = posse_environment_next_task(p->environment);
    if (error == POSSE_OK) error = round == 0 ? posse_restart(p->posses[who], run) : posse_next_task(p->posses[who]);
    if (p->agenda->tasks > 1) recorder_meet(p->recorder, i, p->environment);
    return error;
}

static size_t rounds_of_task(const player *p, uint64_t round) {
    uint64_t left = p->agenda->task_rounds - round % p->agenda->task_rounds;
    return left < STRETCH ? (size_t)left : STRETCH;
}

/* Lets a competitor play the run of the i-th sheet. */
static posse_error player_play_one(player *p, int who, uint32_t run, size_t i) {
    const recorder_group runs = {.first = i, .width = 1, .wanted = 1};
    posse_trace trace = trace_for(p, who);
    recorder_begin(p->recorder, who, &runs, p->posses[who]);
    posse_error error = POSSE_OK;
    uint64_t round = 0;
    double clipped = 0.0; /* summed over tasks, because a selector counts those of one task */
    while (round < p->agenda->experiment->rounds && error == POSSE_OK && !player_halted(p)) {
        if (round % p->agenda->task_rounds == 0) error = player_begin_task(p, who, run, i, round);
        size_t rounds = recorder_stretch(p->recorder, who, rounds_of_task(p, round));
        if (error == POSSE_OK) error = posse_play(p->posses[who], p->environment, rounds, &trace);
        if (p->agenda->moves) recorder_meet(p->recorder, i, p->environment);
        if (error == POSSE_OK) player_record(p, who, &runs, rounds);
        round += rounds;
        if (round % p->agenda->task_rounds == 0) clipped += clipped_by(p, who);
    }
    recorder_end(p->recorder, who, clipped);
    return error;
}

/*
 * Lets a competitor decide in the rows of a log. All meet the same rows, so the first one brings the rewards of the
 * policy that made the log.
 */
static posse_error replay_one(player *p, int who, uint32_t run) {
    const int log = p->agenda->log;
    valuer_begin(p->valuer, who);
    if (who == 0) valuer_begin(p->valuer, log);
    posse_environment_begin(p->environment, run);
    posse_error error = posse_restart(p->posses[who], run);
    uint64_t round = 0;
    while (round < p->agenda->experiment->rounds && error == POSSE_OK && !player_halted(p)) {
        size_t rows = player_rounds_at_once(p, round, STRETCH);
        error = posse_replay(p->posses[who], p->environment, rows, &p->appraisal);
        if (error == POSSE_OK && who < p->agenda->selectors) name_choices(p, who, rows);
        if (error == POSSE_OK) valuer_take(p->valuer, who, &p->appraisal, rows);
        if (error == POSSE_OK && who == 0) valuer_take_log(p->valuer, p->appraisal.rewards, rows);
        atomic_fetch_add(&p->control->rounds, rows);
        round += rows;
    }
    valuer_end(p->valuer, who, clipped_by(p, who));
    if (who == 0) valuer_end(p->valuer, log, NAN);
    return error;
}

/* Lets all competitors that play abreast play the next rounds. */
static posse_error play_stretch(player *p, const recorder_group *runs, size_t rounds) {
    posse_error error = POSSE_OK;
    for (int who = 0; who < posse_count(p) && error == POSSE_OK; who++) {
        if (p->abreast_place[who] < 0) continue;
        posse_trace trace = trace_for(p, who);
        error = posse_abreast_play(p->abreast, p->abreast_place[who], rounds, &trace);
        if (error == POSSE_OK) player_record(p, who, runs, rounds);
    }
    return error;
}

/*
 * All competitors that can play abreast play one stretch of all runs before the next stretch begins, so that the noise
 * of a stretch is made once. No stretch can fail, because everything was checked when the posses joined the group.
 */
static posse_error play_abreast(player *p, uint32_t first, uint32_t count) {
    const recorder_group runs = {.width = p->width, .wanted = count};
    const size_t stretch = posse_abreast_stretch(p->abreast);
    posse_error error = posse_abreast_begin(p->abreast, first);
    for (int who = 0; who < posse_count(p); who++)
        if (p->abreast_place[who] >= 0) recorder_begin(p->recorder, who, &runs, p->posses[who]);
    for (uint64_t round = 0; round < p->agenda->experiment->rounds && error == POSSE_OK && !player_halted(p);
         round += stretch)
        error = play_stretch(p, &runs, player_rounds_at_once(p, round, stretch));
    for (int who = 0; who < posse_count(p); who++)
        if (p->abreast_place[who] >= 0) recorder_end(p->recorder, who, clipped_by(p, who));
    return error;
}

/* All competitors meet the same instances, so the recorder looks at each instance only once. */
static void meet_instances(player *p, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        posse_environment_begin(p->environment, first + i);
        recorder_meet(p->recorder, i, p->environment);
    }
}

bool player_play(player *p, uint32_t first, uint32_t count, player_stop *stop) {
    /* A group of few runs is played run by run, because empty places of a group cost as much as full ones. */
    bool abreast = p->abreast != NULL && count >= p->width / 2;
    *stop = (player_stop){.run = first};
    if (p->recorder != NULL) meet_instances(p, first, count);
    if (abreast) stop->error = play_abreast(p, first, count);
    for (uint32_t i = 0; i < count; i++) {
        for (int who = 0; who < posse_count(p) && stop->error == POSSE_OK && !player_halted(p); who++) {
            if (abreast && p->abreast_place[who] >= 0) continue;
            stop->run = first + i;
            stop->competitor = who;
            stop->error = p->valuer != NULL ? replay_one(p, who, first + i) : player_play_one(p, who, first + i, i);
        }
        if (stop->error != POSSE_OK || player_halted(p)) return false;
        if (p->valuer != NULL)
            valuer_complete(p->valuer);
        else
            recorder_complete(p->recorder, i);
    }
    return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * Saving and loading. A saved posse begins with its definition, from which loading makes all parts again by the same
 * calls that created them. Then follows what has been learned: the states, as they are, and the positions of the
 * streams.
 *
 *     magic, format, length and checksum of what follows
 *     seed, run, rounds, arms, dim, context, nonzeros, how many numbers of points, points
 *     the room for slots of features, how many have a feature, and the index of each feature
 *     how many arms are retired, and their indices, in order
 *     how many names of arms, and the names; how many arms may be active when one joins; whether rewards are tallied
 *     whether there is a feature map, and the map: names, interactions, declared scales, how many numbers a scale
 *     learns from, the constant
 *     expiry: after, learns, reward; draws for a propensity
 *     prior, selector, its places
 *     learners: name, active, recipe
 *     current, probability, rounds left of the batch
 *     decisions made, epoch, decisions made when the epoch began
 *     the positions of the streams of selector, ties and floor; the selector's state
 *     per learner: plays; if active: stream position and state
 *     the tallies of arms and learners, if rewards are tallied
 *     learned scales: name, count, mean, squared distances; names seen, each with its slot
 *     the modes, if there are any, the counts of their comparisons, and the units, the oldest first
 *     deferred decisions: how many were shown, how many are pending, and each like the pending ones below, with the
 *     number of decisions when it was shown, its turn, and the time
 *     pending decisions, the oldest first: number, epoch, learner, arm, source of the arm (arm_source), probability;
 *     on the ball the point, or the features of the arm if rounds have any; the propensity, if it is exact or estimated
 *
 * Format 7 has no deferred decisions; those that were pending are among the others. Format 6 has neither a feature map
 * nor modes. Format 5 has no nonzeros and no slots. Format 4 has neither names nor tallies. Format 3 has no estimated
 * propensities either. A posse is written in the oldest format that has all it needs, which older libraries read.
 * Format 2 has no context, no number of points, which follows from arms and dim, and no floor. Format 1, of version
 * 0.1, has no retired arms, expiry, propensity or epochs. In place of the number of decisions it has the next id, and a
 * pending decision is: id, learner, arm, probability, probe if the selector makes probes, point.
 *
 * The checksum detects accidental damage. A forged file may have a right checksum, so every value is checked as it is
 * read.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/sort.h"
#include "model/row.h"
#include "object/modes.h"
#include "object/object.h"
#include "object/recipe.h"

#define MAGIC 0x0A1A0D6573736F70u /* "posse\r\x1a\n" */
#define FORMAT 8u
#define FORMAT_MODES 7u
#define FORMAT_SPARSE 6u
#define FORMAT_NAMES 5u
#define FORMAT_ESTIMATES 4u
#define FORMAT_PLAIN 3u
#define FORMAT_OLDEST 1u
#define HEADER_SIZE 32
#define SUGGESTED_SHIFT 8
#define ENTRY_WORDS 6 /* of a pending decision, without its point */

/*
 * The second word of expiry: what a decision learns, and how the first word, expire_after, counts. Until 0.2 a decision
 * expired with one later decision more than that. A posse saved then keeps that, so that a log of the server
 * still fits its snapshot. Libraries until 0.2 reject the flag EXPIRY_EXACT.
 */
#define EXPIRY_LEARNS 1u
#define EXPIRY_EXACT 2u

/* --------------------------------------------------- saving --------------------------------------------------- */

static void write_retired(writer *w, const posse_space *space) {
    write_word(w, (uint64_t)(space->arms - space->active_count));
    for (int a = 0; a < space->arms; a++)
        if (!space_has(space, a)) write_word(w, (uint64_t)a);
}

static uint64_t save_format(const posse *p) {
    if (p->modes != NULL && p->modes->deferred.table.count > 0) return FORMAT;
    if (p->map != NULL || p->modes != NULL) return FORMAT_MODES;
    if (space_is_sparse(p->space)) return FORMAT_SPARSE;
    if (p->names != NULL || p->tallies != NULL) return FORMAT_NAMES;
    return p->estimates ? FORMAT_ESTIMATES : FORMAT_PLAIN;
}

static void write_features(writer *w, const posse *p) {
    int count = p->dictionary != NULL ? p->dictionary->count : 0;
    write_word(w, (uint64_t)p->space->slots);
    write_word(w, (uint64_t)count);
    for (int i = 0; i < count; i++) write_word(w, (uint64_t)p->dictionary->indices[i]);
}

static void save_write_names(writer *w, const posse *p) {
    int count = p->names != NULL ? p->names->count : 0;
    write_word(w, (uint64_t)count);
    for (int a = 0; a < count; a++) write_text(w, p->names->list[a]);
    write_word(w, (uint64_t)posse_joins(p));
    write_word(w, p->tallies != NULL);
}

static void save_write_definition(writer *w, const posse *p) {
    write_word(w, p->seed);
    write_word(w, p->run);
    write_word(w, p->rounds);
    space_def arms = space_def_of(p->space);
    write_word(w, (uint64_t)arms.arms);
    write_word(w, (uint64_t)arms.dim);
    write_word(w, (uint64_t)arms.context);
    if (save_format(p) >= FORMAT_SPARSE) write_word(w, (uint64_t)arms.nonzeros);
    size_t numbers = p->space->points != NULL ? (size_t)p->space->arms * (size_t)p->space->dim : 0;
    write_word(w, numbers);
    write_words(w, p->space->points, numbers * sizeof(double));
    if (arms.nonzeros > 0) write_features(w, p);
    write_retired(w, p->space);
    if (save_format(p) >= FORMAT_NAMES) save_write_names(w, p);
    if (save_format(p) >= FORMAT_MODES) write_word(w, p->map != NULL);
    if (p->map != NULL) feature_map_write_definition(w, p->map);
    write_word(w, p->expiry.after);
    write_word(w, (p->expire_learns ? EXPIRY_LEARNS : 0) | (p->expiry.after > 0 ? EXPIRY_EXACT : 0));
    write_real(w, p->expiry.reward);
    write_word(w, p->propensity_draws);
    recipe_write(w, p->prior);
    recipe_write(w, p->selector_recipe);
    write_word(w, (uint64_t)p->selector.places);
    write_word(w, (uint64_t)p->count);
    for (int i = 0; i < p->count; i++) {
        const member *m = &p->members[i];
        write_text(w, m->name);
        write_word(w, m->active);
        if (m->active) recipe_write(w, m->recipe);
    }
}

static void write_learned(writer *w, const posse *p) {
    write_word(w, (uint64_t)p->current);
    write_real(w, p->probability);
    write_word(w, p->batch_left);
    write_word(w, p->decisions);
    write_word(w, p->epoch);
    write_word(w, p->epoch_first);
    write_word(w, p->selector_draw->position);
    write_word(w, p->ties_draw->position);
    write_word(w, p->floor_draw != NULL ? p->floor_draw->position : 0);
    write_words(w, p->selector.state, p->selector.part.state_size);
    for (int i = 0; i < p->count; i++) {
        const member *m = &p->members[i];
        write_word(w, m->plays);
        if (!m->active) continue;
        write_word(w, m->draw->position);
        write_words(w, m->state, m->part.state_size);
    }
}

/* The bytes of pending_entry.point. */
static size_t point_size(const pending *table) {
    return table->stride - sizeof(pending_entry);
}

static void write_entry(writer *w, const pending *table, const pending_entry *entry) {
    write_word(w, entry->number);
    write_word(w, entry->epoch);
    write_word(w, (uint64_t)(int64_t)entry->learner);
    write_word(w, (uint64_t)(int64_t)entry->arm);
    write_word(w, entry->drawn | (entry->again ? AGAIN : 0) | (uint64_t)entry->suggested << SUGGESTED_SHIFT);
    write_real(w, entry->probability);
    write_words(w, entry->point, point_size(table));
}

static uint64_t first_word(const void *record) {
    reader r = {.in = record, .left = sizeof(uint64_t)};
    return read_word(&r);
}

static int save_by_number(const void *a, const void *b) {
    uint64_t first = first_word(a), second = first_word(b);
    return (first > second) - (first < second);
}

static void write_pending_sorted(writer *w, const pending *table, size_t size) {
    uint8_t *records = w->out + w->length;
    for (size_t slot = 0; slot < table->capacity; slot++) {
        const pending_entry *entry = pending_at(table, slot);
        if (entry != NULL) write_entry(w, table, entry);
    }
    sort_records(records, table->count, size, save_by_number);
}

/* From number to number, which takes less time than sorting. False: nothing is written, because there are long gaps. */
static bool write_pending_by_number(writer *w, const pending *table) {
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t slot = 0; slot < table->capacity; slot++) {
        const pending_entry *entry = pending_at(table, slot);
        if (entry != NULL && entry->number < least) least = entry->number;
        if (entry != NULL && entry->number > most) most = entry->number;
    }
    if (table->count > 0 && most - least >= 4 * table->capacity) return false;
    for (uint64_t number = least; number <= most; number++) {
        const pending_entry *entry = pending_find(table, number);
        if (entry != NULL) write_entry(w, table, entry);
    }
    return true;
}

/* In the order of their numbers, so that equal posses save equal bytes, whatever the order in the table is. */
static void write_pending(writer *w, const pending *table) {
    size_t size = ENTRY_WORDS * sizeof(uint64_t) + point_size(table);
    write_word(w, table->count);
    if (w->out == NULL)
        w->length += table->count * size;
    else if (!write_pending_by_number(w, table))
        write_pending_sorted(w, table, size);
}

static void write_body(writer *w, const posse *p) {
    save_write_definition(w, p);
    write_learned(w, p);
    if (p->tallies != NULL) tallies_write(w, p);
    if (p->map != NULL) feature_map_write_learned(w, p->map);
    if (save_format(p) >= FORMAT_MODES) write_word(w, p->modes != NULL);
    if (p->modes != NULL) modes_write(w, p);
    if (save_format(p) >= FORMAT) {
        write_word(w, p->modes->deferred.turns);
        write_pending(w, &p->modes->deferred.table);
    }
    write_pending(w, &p->pending);
}

posse_error posse_save(const posse *p, void *buffer, size_t *length) {
    if (p == NULL || length == NULL) return POSSE_ERROR_ARGUMENT;
    posse_error error = object_refuse_episodes(p);
    if (error != POSSE_OK) return error;
    writer body = {NULL, 0};
    write_body(&body, p);
    size_t needed = HEADER_SIZE + body.length, given = *length;
    *length = needed;
    if (buffer == NULL) return POSSE_OK;
    if (given < needed) return POSSE_ERROR_BUFFER;
    body = (writer){(uint8_t *)buffer + HEADER_SIZE, 0};
    write_body(&body, p);
    writer header = {buffer, 0};
    write_word(&header, MAGIC);
    write_word(&header, save_format(p));
    write_word(&header, body.length);
    write_word(&header, saved_checksum(save_format(p), body.out, body.length));
    return POSSE_OK;
}

/* --------------------------------------------------- loading --------------------------------------------------- */

/* Writes to the log what is wrong with a saved posse, or with its part at `where`. */
#define DAMAGED(log, where, ...) (complain(log, where, NULL, __VA_ARGS__), POSSE_ERROR_DAMAGED)

static posse_error save_read_header(reader *r, const posse_logger *log) {
    size_t given = r->left;
    if (given < sizeof(uint64_t) || read_word(r) != MAGIC) return DAMAGED(log, NULL, "not a saved posse");
    if (given < HEADER_SIZE) return DAMAGED(log, NULL, "cut short: %zu bytes, and the header alone has 32", given);
    uint64_t format = read_word(r), length = read_word(r), checksum = read_word(r);
    if (length > r->left) return DAMAGED(log, NULL, "cut short: %zu of %" PRIu64 " bytes", given, length + HEADER_SIZE);
    if (length < r->left)
        return DAMAGED(log, NULL, "too long: %zu bytes, where it has %" PRIu64, given, length + HEADER_SIZE);
    if (format < FORMAT_OLDEST || format > FORMAT) {
        complain(log, NULL, NULL, "format %" PRIu64 ", and this library reads formats %u to %u", format, FORMAT_OLDEST,
                 FORMAT);
        return POSSE_ERROR_VERSION;
    }
    if (checksum != saved_checksum(format, r->in, r->left))
        return DAMAGED(log, NULL, "altered: its checksum does not match");
    r->format = format;
    return POSSE_OK;
}

static posse_error save_read_points(reader *r, arena *memory, posse_def *def) {
    size_t all = (size_t)def->arms * (size_t)def->dim, numbers = r->format > 2 ? (size_t)read_word_upto(r, all) : all;
    if (r->bad || (numbers != 0 && numbers != all) || numbers > r->left / sizeof(double)) return POSSE_ERROR_DAMAGED;
    if (numbers == 0) return POSSE_OK;
    double *points = arena_allocate(memory, numbers * sizeof *points);
    if (points == NULL) return POSSE_ERROR_MEMORY;
    read_words(r, points, numbers * sizeof *points);
    def->points = points;
    return POSSE_OK;
}

/* Leaves *out NULL if no arm is retired. */
static posse_error read_retired(reader *r, arena *memory, int arms, const bool **out) {
    uint64_t count = read_word_upto(r, arms > 0 ? (uint64_t)arms - 1 : 0);
    if (r->bad || count > r->left / sizeof(uint64_t)) return POSSE_ERROR_DAMAGED;
    if (count == 0) return POSSE_OK;
    bool *retired = arena_allocate(memory, (size_t)arms * sizeof *retired);
    if (retired == NULL) return POSSE_ERROR_MEMORY;
    for (uint64_t i = 0, next = 0; i < count; i++) {
        uint64_t arm = read_word_upto(r, (uint64_t)arms - 1);
        if (r->bad || arm < next) return POSSE_ERROR_DAMAGED;
        retired[arm] = true;
        next = arm + 1;
    }
    *out = retired;
    return POSSE_OK;
}

/* A text of its own, ended by a zero. */
static posse_error save_read_text(reader *r, arena *memory, char **out) {
    size_t length;
    const char *text = read_text(r, &length);
    if (text == NULL) return POSSE_ERROR_DAMAGED;
    *out = arena_allocate(memory, length + 1);
    if (*out == NULL) return POSSE_ERROR_MEMORY;
    memcpy(*out, text, length);
    return POSSE_OK;
}

/* Each name takes at least a word, which bounds the memory by the bytes that are left. */
static posse_error save_read_names(reader *r, arena *memory, posse_def *def) {
    uint64_t count = read_word_upto(r, (uint64_t)def->arms);
    if (r->bad || (count != 0 && count != (uint64_t)def->arms) || count > r->left / sizeof(uint64_t))
        return POSSE_ERROR_DAMAGED;
    char **names = count > 0 ? arena_allocate(memory, (size_t)count * sizeof *names) : NULL;
    if (count > 0 && names == NULL) return POSSE_ERROR_MEMORY;
    posse_error error = POSSE_OK;
    for (uint64_t a = 0; a < count && error == POSSE_OK; a++) error = save_read_text(r, memory, &names[a]);
    def->names = (const char *const *)names;
    def->joins = (int)read_word_upto(r, ARMS_MAX);
    def->report = read_word_upto(r, 1) == 1;
    return error;
}

/* expiry_is_sane checks the reward later, because the learners decide whether it can be learned. */
static void read_habits(reader *r, posse_def *def) {
    def->expire_after = read_word(r);
    uint64_t flags = read_word_upto(r, EXPIRY_LEARNS | EXPIRY_EXACT);
    bool later = (flags & EXPIRY_EXACT) == 0 && def->expire_after > 0 && def->expire_after < UINT64_MAX;
    if (later) def->expire_after++;
    def->expire_learns = (flags & EXPIRY_LEARNS) != 0;
    def->expire_reward = read_real(r);
    def->propensity_draws = (uint32_t)read_word_upto(r, PROPENSITY_DRAWS_MAX);
}

/* Defaults that were not saved, because they had not changed yet when the posse was saved. */
static const struct {
    const char *kind, *key;
    double former;
} unsaved[] = {{"bms-plus", "budget", 0.0},
               {"d3rb", "confidence", 1.0},
               {"d3rb", "dmin", 1.0},
               {"ed2rb", "confidence", 1.0},
               {"ed2rb", "dmin", 1.0}};

static void take_former_defaults(posse_part *selector) {
    int count = 0;
    while (count < POSSE_OPTIONS_MAX && selector->options[count].key != NULL) count++;
    for (size_t i = 0; i < sizeof unsaved / sizeof unsaved[0] && selector->kind != NULL; i++) {
        posse_option former = {.key = unsaved[i].key, .number = unsaved[i].former};
        bool absent = strcmp(selector->kind, unsaved[i].kind) == 0 && posse_part_option(selector, former.key) == NULL;
        if (absent && count < POSSE_OPTIONS_MAX) selector->options[count++] = former;
    }
}

static posse_error read_features(reader *r, arena *memory, const posse_def *def, known_features *known) {
    uint64_t features = (uint64_t)def->dim + (uint64_t)def->context;
    known->slots = (int)read_word_upto(r, features);
    known->count = (int)read_word_upto(r, (uint64_t)known->slots);
    if (r->bad || features == 0 || (size_t)known->count > r->left / sizeof(uint64_t)) return POSSE_ERROR_DAMAGED;
    int *indices = arena_allocate(memory, (size_t)known->count * sizeof *indices);
    if (indices == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < known->count; i++) indices[i] = (int)read_word_upto(r, features - 1);
    known->indices = indices;
    return r->bad ? POSSE_ERROR_DAMAGED : POSSE_OK;
}

static posse_error read_definition(reader *r, arena *memory, posse_def *def, const bool **retired,
                                   known_features *known, int *places) {
    def->seed = read_word(r);
    def->run = (uint32_t)read_word_upto(r, UINT32_MAX);
    def->rounds = read_word(r);
    def->arms = (int)read_word_upto(r, ARMS_MAX);
    uint64_t dim_max = r->format >= FORMAT_SPARSE ? SPARSE_DIM_MAX : DIM_MAX;
    def->dim = (int)read_word_upto(r, dim_max);
    if (r->format > 2) def->context = (int)read_word_upto(r, dim_max);
    if (r->format >= FORMAT_SPARSE) def->nonzeros = (int)read_word_upto(r, NONZEROS_MAX);
    posse_error error = save_read_points(r, memory, def);
    if (error == POSSE_OK && def->nonzeros > 0) error = read_features(r, memory, def, known);
    if (error == POSSE_OK && r->format > 1) error = read_retired(r, memory, def->arms, retired);
    if (error == POSSE_OK && r->format >= FORMAT_NAMES) error = save_read_names(r, memory, def);
    bool named = error == POSSE_OK && r->format >= FORMAT_MODES && read_word_upto(r, 1) == 1;
    if (named) error = feature_map_read_definition(r, memory, &def->features);
    if (error == POSSE_OK && r->format > 1) read_habits(r, def);
    if (error == POSSE_OK) error = recipe_read(r, memory, &def->prior);
    if (error == POSSE_OK) error = recipe_read(r, memory, &def->selector);
    if (error == POSSE_OK) take_former_defaults(&def->selector);
    *places = (int)read_word_upto(r, 2 * LEARNERS_MAX);
    return error == POSSE_OK && r->bad ? POSSE_ERROR_DAMAGED : error;
}

static posse_error read_member(reader *r, arena *memory, posse *p) {
    posse_part recipe;
    char *name = NULL;
    posse_error error = save_read_text(r, memory, &name);
    if (error == POSSE_ERROR_DAMAGED)
        return DAMAGED(&p->host.log, NULL, "the name of its learner %d cannot be right", p->count);
    bool active = error == POSSE_OK && read_word_upto(r, 1) == 1;
    if (active) error = recipe_read(r, memory, &recipe);
    if (error == POSSE_ERROR_DAMAGED) complain(&p->host.log, NULL, NULL, "its learner %d cannot be right", p->count);
    if (error == POSSE_OK) error = members_add(p, active ? &recipe : NULL, name);
    return error;
}

static posse_error read_members(reader *r, arena *memory, posse *p) {
    uint64_t count = read_word_upto(r, LEARNERS_MAX);
    posse_error error = POSSE_OK;
    for (uint64_t i = 0; i < count && error == POSSE_OK; i++) error = read_member(r, memory, p);
    if (error != POSSE_OK) return error;
    bool room = p->selector.ops != NULL ? p->count <= p->selector.places : p->count == 1;
    if (r->bad || p->active == 0 || !room) return DAMAGED(&p->host.log, NULL, "its list of learners cannot be right");
    return POSSE_OK;
}

static bool save_read_state(reader *r, const part *part_, void *state, const posse_logger *log, posse_place where) {
    read_words(r, state, part_->state_size);
    bool sane = !r->bad && part_state_sane(part_, state);
    if (!sane) complain(log, &where, NULL, "its saved state cannot be right");
    return sane;
}

static void read_draw(reader *r, posse_draw *draw) {
    uint64_t position = read_word(r);
    draw_start(draw, draw->seed, draw->run, draw->stream, position);
}

/* With at most 2^64 rounds and 4096 learners, no selector chooses with a smaller probability. */
/* Format 1 has the next id, which counts from 1, in place of the number of decisions. */
static void read_count_of_decisions(reader *r, posse *p) {
    uint64_t count = read_word_upto(r, DECISIONS_MAX);
    if (r->format == 1 && count == 0) r->bad = true;
    p->decisions = r->format == 1 ? count - 1 : count;
    p->epoch = r->format == 1 ? 0 : (uint32_t)read_word_upto(r, EPOCH_MAX);
    p->epoch_first = r->format == 1 ? 0 : read_word_upto(r, DECISIONS_MAX);
}

static bool expiry_is_sane(const posse *p) {
    return !p->expire_learns || object_reward_fits(p, p->expiry.reward);
}

static posse_error read_learned(reader *r, posse *p) {
    p->current = (int)read_word_upto(r, (uint64_t)p->count - 1);
    p->probability = read_real(r);
    p->batch_left = read_word_upto(r, p->batch);
    read_count_of_decisions(r, p);
    read_draw(r, p->selector_draw);
    read_draw(r, p->ties_draw);
    uint64_t floor_position = r->format > 2 ? read_word(r) : 0;
    if (p->floor_draw != NULL)
        draw_start(p->floor_draw, p->seed, p->run, p->floor_draw->stream, floor_position);
    else if (floor_position != 0)
        r->bad = true;
    bool sane = p->selector.ops == NULL || save_read_state(r, &p->selector.part, p->selector.state, &p->host.log,
                                                           (posse_place){NULL, "selector", -1});
    for (int i = 0; i < p->count && sane; i++) {
        member *m = &p->members[i];
        m->plays = read_word(r);
        if (!m->active) continue;
        read_draw(r, m->draw);
        sane = save_read_state(r, &m->part, m->state, &p->host.log, (posse_place){NULL, "learners", i});
    }
    if (!sane) return POSSE_ERROR_DAMAGED;
    sane = p->epoch_first <= p->decisions && object_is_probability(p->probability) &&
           (p->batch_left == 0 || p->members[p->current].active) && expiry_is_sane(p);
    return sane && !r->bad ? POSSE_OK : DAMAGED(&p->host.log, NULL, "its round cannot be right");
}

static bool arm_is_sane(const posse *p, const pending_entry *entry) {
    const member *m = &p->members[entry->learner];
    bool outside = !m->active || m->external;
    if (entry->suggested > (uint32_t)p->space->arms) return false;
    if (entry->arm == ARM_UNTOLD && entry->suggested > 0) return true;
    if (entry->arm == ARM_UNTOLD) return outside && entry->drawn == PICKED && !space_is_empty(p->space);
    return p->space->arms > 0 ? entry->arm >= 0 && entry->arm < p->space->arms : entry->arm == -1;
}

static bool row_is_sane(const posse_space *space, const double *numbers) {
    if (!(numbers[0] >= 0.0 && numbers[0] <= space->nonzeros)) return false;
    row x = row_of_sparse(numbers);
    for (int i = 0; i < x.count; i++) {
        double slot = x.pairs[2 * i];
        bool known = slot >= 0.0 && slot < space->known && slot == floor(slot);
        if (!known || !(fabs(row_value(x, i)) <= FEATURE_MAX)) return false;
    }
    return true;
}

static bool point_is_sane(const posse *p, const pending_entry *entry) {
    int numbers = p->point_numbers;
    double most = space_is_ball(p->space) ? 1.0 + 1e-9 : FEATURE_MAX;
    bool sane = true;
    if (space_is_sparse(p->space) && (entry->arm != ARM_UNTOLD || entry->suggested > 0))
        sane = row_is_sane(p->space, entry->point);
    for (int j = 0; j < numbers && !space_is_sparse(p->space); j++) sane = sane && fabs(entry->point[j]) <= most;
    return sane && (!p->keeps_propensity || (entry->point[numbers] >= 0.0 && entry->point[numbers] <= 1.0));
}

static bool entry_is_sane(const posse *p, const pending_entry *entry) {
    bool learner = entry->learner >= 0 && entry->learner < p->count;
    bool number = entry->number > 0 && entry->number <= p->decisions && p->decisions - entry->number < UINT32_MAX &&
                  pending_find(&p->pending, entry->number) == NULL && deferred_find(p, entry->number) == NULL;
    return learner && arm_is_sane(p, entry) && number && point_is_sane(p, entry) &&
           object_is_probability(entry->probability) && (entry->drawn != DRAWN_BY_FLOOR || p->floor > 0.0);
}

static void save_read_entry(reader *r, pending_entry *entry) {
    entry->number = read_word(r);
    entry->epoch = (uint32_t)read_word_upto(r, EPOCH_MAX);
    entry->learner = (int32_t)read_word_upto(r, LEARNERS_MAX);
    entry->arm = (int32_t)(int64_t)read_word(r);
    uint64_t drawn = read_word_upto(r, r->format >= FORMAT_MODES ? UINT32_MAX >> 1 : DRAWN_BY_FLOOR);
    entry->drawn = drawn & (AGAIN - 1);
    entry->again = (drawn & AGAIN) != 0;
    entry->suggested = (uint32_t)(drawn >> SUGGESTED_SHIFT) & SUGGESTED_MASK;
    if (entry->drawn > PLAYED_IN_PAUSE) r->bad = true;
    entry->probability = read_real(r);
}

static void read_entry_1(reader *r, const posse *p, pending_entry *entry) {
    entry->number = read_word(r);
    entry->learner = (int32_t)read_word_upto(r, LEARNERS_MAX);
    entry->arm = (int32_t)(int64_t)read_word(r);
    entry->probability = read_real(r);
    entry->drawn = p->selector.probes ? (unsigned)read_word_upto(r, DRAWN_BY_SELECTOR) & 1u : PICKED;
    entry->suggested = 0;
}

static size_t entry_words(const reader *r, const posse *p) {
    return r->format == 1 ? 4 + (size_t)p->selector.probes : ENTRY_WORDS;
}

/* The bytes behind the words of an entry in the format that is read; missing ones become 0. */
static size_t point_size_read(const reader *r, const posse *p, const pending *table) {
    return point_size(table) - (r->format < 4 && p->estimates ? sizeof(double) : 0);
}

static posse_error read_entries(reader *r, posse *p, pending *table, uint64_t count) {
    size_t stride = table->stride, point = point_size_read(r, p, table);
    arena scratch = {.allocator = p->host.allocator};
    pending_entry *entry = arena_allocate(&scratch, stride);
    posse_error error = entry != NULL ? pending_reserve(table, count, &p->host.allocator) : POSSE_ERROR_MEMORY;
    for (uint64_t i = 0; i < count && error == POSSE_OK; i++) {
        if (r->format == 1)
            read_entry_1(r, p, entry);
        else
            save_read_entry(r, entry);
        read_words(r, entry->point, point);
        entry->deferred = table != &p->pending;
        bool sane = !r->bad && entry_is_sane(p, entry);
        error = !sane ? POSSE_ERROR_DAMAGED : entry->deferred ? deferred_restore(p, entry) : POSSE_OK;
        if (error == POSSE_OK) memcpy(pending_add(table, entry->number), entry, stride);
        if (error == POSSE_ERROR_DAMAGED)
            complain(&p->host.log, NULL, NULL, "its pending decision %" PRIu64 " cannot be right", i);
    }
    arena_release(&scratch);
    return error;
}

/* The bytes that an entry of a table has. */
static size_t written_size(const reader *r, const posse *p, const pending *table) {
    return entry_words(r, p) * sizeof(uint64_t) + point_size_read(r, p, table);
}

static posse_error read_deferred(reader *r, posse *p) {
    if (p->modes == NULL) return DAMAGED(&p->host.log, NULL, "its deferred decisions cannot be right");
    deferred *d = &p->modes->deferred;
    d->turns = read_word_upto(r, DECISIONS_MAX);
    uint64_t count = read_word(r);
    if (r->bad || count == 0 || count > r->left / written_size(r, p, &d->table))
        return DAMAGED(&p->host.log, NULL, "its list of deferred decisions cannot be right");
    return read_entries(r, p, &d->table, count);
}

/* They are the rest of the bytes. */
static posse_error read_pending(reader *r, posse *p) {
    size_t written = written_size(r, p, &p->pending);
    uint64_t count = read_word(r);
    if (r->bad || count != r->left / written || r->left % written != 0)
        return DAMAGED(&p->host.log, NULL, "its list of pending decisions cannot be right");
    return read_entries(r, p, &p->pending, count);
}

static posse_error save_read_map(reader *r, posse *p) {
    posse_error error = feature_map_read_learned(r, p->map, object_feature_slots(p), &p->host.allocator);
    if (error == POSSE_ERROR_DAMAGED) complain(&p->host.log, NULL, NULL, "its names of features cannot be right");
    return error;
}

static posse_error read_body(reader *r, arena *memory, posse_def *def, posse **out) {
    int places;
    const bool *retired = NULL;
    known_features known = {0};
    posse_error error = read_definition(r, memory, def, &retired, &known, &places);
    if (error == POSSE_ERROR_DAMAGED) complain(&def->host.log, NULL, NULL, "its definition cannot be right");
    if (error == POSSE_OK) error = object_open(def, retired, known.slots, places, r->left, out);
    if (error == POSSE_OK) error = read_members(r, memory, *out);
    if (error != POSSE_OK) return error;
    (*out)->state_max = SIZE_MAX;
    object_begin(*out, def->run);
    error = object_meet(*out, &known);
    if (error == POSSE_OK) error = read_learned(r, *out);
    if (error == POSSE_OK && (*out)->tallies != NULL) error = tallies_read(r, *out);
    if (error == POSSE_OK && (*out)->map != NULL) error = save_read_map(r, *out);
    if (error == POSSE_OK && r->format >= FORMAT_MODES && read_word_upto(r, 1) == 1) error = modes_read(r, *out);
    if (error == POSSE_OK && r->format >= FORMAT) error = read_deferred(r, *out);
    if (error != POSSE_OK) return error;
    members_share(*out);
    chooser_share(*out);
    return read_pending(r, *out);
}

posse_error posse_load_exact(const void *buffer, size_t length, const posse_host *host, posse **out) {
    if (out == NULL) return POSSE_ERROR_ARGUMENT;
    *out = NULL;
    if (buffer == NULL) return POSSE_ERROR_ARGUMENT;
    posse_def def = posse_default_def();
    if (host != NULL) def.host = *host;
    reader r = {.in = buffer, .left = length};
    posse_error error = save_read_header(&r, &def.host.log);
    if (error != POSSE_OK) return error;
    arena memory = {.allocator = def.host.allocator};
    posse *p = NULL;
    error = read_body(&r, &memory, &def, &p);
    arena_release(&memory);
    if (error != POSSE_OK) {
        posse_free(p);
        return error;
    }
    p->replays = true;
    *out = p;
    return POSSE_OK;
}

/* The system's random numbers are used only for ids, so no decision depends on them. */
static posse_error renew_epoch(posse *p) {
    uint32_t epoch;
    do {
        if (getentropy(&epoch, sizeof epoch) != 0) {
            complain(&p->host.log, NULL, NULL,
                     "the system has no random number for a new epoch; posse_load_exact and posse_set_epoch need none");
            return POSSE_ERROR_ABSENT;
        }
        epoch &= EPOCH_MAX;
    } while (epoch == 0 || posse_set_epoch(p, epoch) != POSSE_OK);
    return POSSE_OK;
}

posse_error posse_load(const void *buffer, size_t length, const posse_host *host, posse **out) {
    posse_error error = posse_load_exact(buffer, length, host, out);
    if (error == POSSE_OK) error = renew_epoch(*out);
    if (error != POSSE_OK && out != NULL) {
        posse_free(*out);
        *out = NULL;
    }
    return error;
}

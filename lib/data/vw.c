/* SPDX-License-Identifier: MIT */
#include "data/vw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/feature_hash.h"
#include "base/hash.h"
#include "base/sort.h"
#include "data/decimal.h"
#include "model/parameter.h"
#include "model/round.h"
#include "model/space.h"

#define SLOTS 4096 /* for names: a power of 2, and at most a quarter is taken */
#define NUMBER_BYTES 64

/* A piece of the text. */
typedef struct span {
    const char *at;
    size_t length;
} span;

/* A feature by its name. For name:word, `own` includes the word, which is unambiguous because no name has a colon. */
typedef struct name {
    span space, own;
} name;

typedef struct parser {
    const char *text, *end;
    data_problem *problem;
    bool by_actions; /* an event has a line for each action */
    name names[DIM_MAX];
    int name_count;
    uint16_t slots[SLOTS]; /* 1 + the place of a name, 0: free */
    bool hashed;           /* there are more names than columns; the first pass finds that out */
    int largest;           /* largest arm so far */
} parser;

/* The part of an event that has been read so far. */
typedef struct event {
    const char *begin; /* in the text */
    bool shared, labelled;
    logbook_row row;
} event;

#define REFUSE(p, at, ...) data_refuse((p)->problem, (p)->text, at, __VA_ARGS__)

/* ------------------------------------------------------ pieces ------------------------------------------------- */

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && is_blank(*at)) at++;
    return at;
}

/* The bytes up to a blank or one of two characters. */
static span vw_word_at(const char *at, const char *end, char stop, char other) {
    const char *from = at;
    while (at < end && !is_blank(*at) && *at != stop && *at != other) at++;
    return (span){from, (size_t)(at - from)};
}

static bool vw_same(span a, span b) {
    return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

static bool vw_is_word(span s, const char *word) {
    return vw_same(s, (span){word, strlen(word)});
}

/* nan, inf and infinity, in any case of letters, are not words but numbers that are refused everywhere. */
static bool is_infinite(const char *text) {
    text += *text == '-' || *text == '+';
    return ascii_same(text, "nan") || ascii_same(text, "inf") || ascii_same(text, "infinity");
}

/* Whether a piece is a number as a whole. A number beyond the range of a double becomes infinite. */
static bool vw_take_number(span s, double *out) {
    char copy[NUMBER_BYTES];
    if (s.length >= sizeof copy) return false;
    memcpy(copy, s.at, s.length);
    copy[s.length] = '\0';
    decimal_status status = decimal_read(copy, out);
    if (status == DECIMAL_FINE) return true;
    *out = INFINITY;
    return status == DECIMAL_BEYOND || is_infinite(copy);
}

static bool take_feature(parser *p, span s, double *out) {
    if (fabs(*out) <= FEATURE_MAX) return true;
    return REFUSE(p, s.at, "%.*s is no feature; they must be finite and at most %g", (int)s.length, s.at, FEATURE_MAX);
}

/* --------------------------------------------------- features -------------------------------------------------- */

static uint64_t hash_span(uint64_t hash, span s) {
    return hash_more_bytes(hash_more_bytes(hash, s.at, s.length), " ", 1); /* a blank, which is in no name */
}

/* The hash of a feature: of `space.name`, or `space.name=word`, as posse.hashed takes it. */
static uint32_t vw_feature_hash(span space, span own) {
    const char *colon = memchr(own.at, ':', own.length);
    size_t length = colon != NULL ? (size_t)(colon - own.at) : own.length;
    uint32_t sum = feature_sum(FEATURE_SUM_START, space.at, space.length);
    if (space.length > 0) sum = feature_sum(sum, ".", 1);
    sum = feature_sum(sum, own.at, length);
    if (colon != NULL) sum = feature_sum(feature_sum(sum, "=", 1), colon + 1, own.length - length - 1);
    return feature_hash(sum);
}

/* The column of a feature, a new one if its name is new. -1: there is no room for another. */
static int vw_column_of(parser *p, span space, span own) {
    uint64_t hash = hash_span(hash_span(HASH_BYTES_START, space), own);
    size_t slot = (size_t)(hash ^ hash >> 32) % SLOTS;
    for (; p->slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        const name *n = &p->names[p->slots[slot] - 1];
        if (vw_same(n->space, space) && vw_same(n->own, own)) return p->slots[slot] - 1;
    }
    if (p->name_count == DIM_MAX) return -1;
    p->names[p->name_count++] = (name){space, own};
    p->slots[slot] = (uint16_t)p->name_count;
    return p->name_count - 1;
}

/*
 * Adds a feature to its line. The first pass only counts, so all features are in hashed columns if there are too many
 * names, also those before the one that was too much.
 */
static void vw_add_feature(parser *p, span space, span own, double value, logbook *book) {
    int column = p->hashed ? -1 : vw_column_of(p, space, own);
    p->hashed = column < 0;
    if (p->hashed) {
        uint32_t hash = vw_feature_hash(space, own);
        column = feature_slot(hash, DIM_MAX);
        value = feature_signed(hash, value);
    }
    logbook_add_number(book, column, value);
}

/* name, name:value or name:word */
static const char *read_feature(parser *p, const char *at, const char *end, span space, double weight, logbook *book) {
    span own = vw_word_at(at, end, ':', '|');
    double value = 1.0;
    const char *after = own.at + own.length;
    if (own.length == 0) return REFUSE(p, at, "a feature has no name"), NULL;
    if (after < end && *after == ':') {
        span said = vw_word_at(after + 1, end, ':', '|');
        after = said.at + said.length;
        if (said.length == 0) return REFUSE(p, said.at, "a value is missing behind the colon"), NULL;
        if (after < end && *after == ':') return REFUSE(p, after, "a feature has at most one value"), NULL;
        if (!vw_take_number(said, &value)) own.length = (size_t)(after - own.at), value = 1.0;
        if (!take_feature(p, said, &value)) return NULL;
    }
    value *= weight;
    if (!take_feature(p, own, &value)) return NULL;
    vw_add_feature(p, space, own, value, book);
    return after;
}

/* A namespace, which touches the | before it, and its features up to the next |. */
static const char *read_namespace(parser *p, const char *at, const char *end, logbook *book) {
    span space = vw_word_at(at, end, ':', '|');
    double weight = 1.0;
    at += space.length;
    if (at < end && *at == ':') {
        span said = vw_word_at(at + 1, end, '|', '|');
        if (!vw_take_number(said, &weight))
            return REFUSE(p, said.at, "the weight of a namespace must be a number"), NULL;
        if (!take_feature(p, said, &weight)) return NULL;
        at = said.at + said.length;
    }
    at = skip_blanks(at, end);
    while (at != NULL && at < end && *at != '|') {
        at = read_feature(p, at, end, space, weight, book);
        if (at != NULL) at = skip_blanks(at, end);
    }
    return at;
}

static bool vw_read_features(parser *p, const char *bar, const char *end, logbook *book) {
    while (bar != NULL && bar < end) bar = read_namespace(p, bar + 1, end, book);
    if (bar != NULL) logbook_end_line(book);
    return bar != NULL;
}

/* ---------------------------------------------------- labels --------------------------------------------------- */

static bool vw_read_action(parser *p, span s, int *arm) {
    double action;
    if (!vw_take_number(s, &action) || action != floor(action) || action < 1.0 || action > ARMS_MAX)
        return REFUSE(p, s.at, "%.*s is no action; they count from 1, and there are at most %d", (int)s.length, s.at,
                      ARMS_MAX);
    *arm = (int)action - 1;
    if (*arm > p->largest) p->largest = *arm;
    return true;
}

/* action:cost:probability, of which the first part has been read. */
static bool read_outcome(parser *p, span label, size_t colon, event *e) {
    const char *end = label.at + label.length;
    span cost = vw_word_at(label.at + colon + 1, end, ':', ':');
    const char *second = cost.at + cost.length;
    if (e->labelled) return REFUSE(p, label.at, "this event has a cost already, and only one action was played");
    if (second >= end) return REFUSE(p, label.at, "a label is action:cost:probability; this one lacks the probability");
    span probability = vw_word_at(second + 1, end, ' ', ' ');
    double paid;
    if (!vw_take_number(cost, &paid) || !(fabs(paid) <= REAL_MAX))
        return REFUSE(p, cost.at, "%.*s is no cost; it must be a finite number", (int)cost.length, cost.at);
    if (!vw_take_number(probability, &e->row.probability) || !(e->row.probability > 0.0 && e->row.probability <= 1.0))
        return REFUSE(p, probability.at, "%.*s is no probability; it must be above 0 and at most 1",
                      (int)probability.length, probability.at);
    e->row.reward = 0.0 - paid;
    e->labelled = true;
    return true;
}

/* One word of a label: the action that was played or, if each event is one line, another available action. */
static bool read_label(parser *p, span label, event *e, logbook *book) {
    span action = vw_word_at(label.at, label.at + label.length, ':', ':');
    bool outcome = action.length < label.length;
    int arm = e->row.count; /* of the line that is being read */
    if (!p->by_actions && !vw_read_action(p, action, &arm)) return false;
    if (p->by_actions && !outcome)
        return REFUSE(p, label.at, "a label is action:cost:probability; a tag has a ' before it, or touches the |");
    if (outcome && !read_outcome(p, label, action.length, e)) return false;
    if (outcome) e->row.arm = arm;
    if (!p->by_actions) {
        logbook_add_arm(book, arm);
        e->row.count++;
    }
    return true;
}

/*
 * The words before the first |. The last word is a tag if it touches the |, and a word that begins with ' is a tag too.
 */
static bool read_labels(parser *p, const char *at, const char *bar, event *e, logbook *book, bool *shared) {
    *shared = false;
    for (at = skip_blanks(at, bar); at < bar; at = skip_blanks(at, bar)) {
        span word = vw_word_at(at, bar, ' ', ' ');
        at += word.length;
        if (at == bar || *word.at == '\'') continue;
        if (vw_is_word(word, "shared"))
            *shared = true;
        else if (!read_label(p, word, e, book))
            return false;
    }
    return true;
}

/* ---------------------------------------------------- events --------------------------------------------------- */

/* The line of the features that hold for all actions comes first. It is empty if an event has no such features. */
static bool begin_lines(parser *p, event *e, const char *line, bool shared, logbook *book) {
    if (shared && (e->shared || e->row.count > 0))
        return REFUSE(p, line, "`shared` must be the first line of its event");
    if (!shared && !e->shared && e->row.count == 0) logbook_end_line(book);
    e->shared = e->shared || shared;
    return true;
}

static bool read_action_line(parser *p, const char *line, const char *bar, const char *end, event *e, logbook *book) {
    bool shared;
    if (!read_labels(p, line, bar, e, book, &shared) || !begin_lines(p, e, line, shared, book)) return false;
    if (!shared && e->row.count >= p->largest + 1) p->largest = e->row.count;
    if (!shared) e->row.count++;
    size_t before = book->numbers;
    if (!vw_read_features(p, bar, end, book)) return false;
    if (!shared && book->numbers > before) book->own = true;
    return true;
}

static int vw_rising(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

/* The label of an event of one line lists its arms in any order; sorts them, and refuses duplicates. */
static bool sort_listed(parser *p, const event *e, const logbook *book) {
    if (book->row == NULL) return true;
    int *listed = book->listed + e->row.first_arm;
    sort_records(listed, (size_t)e->row.count, sizeof *listed, vw_rising);
    for (int k = 1; k < e->row.count; k++)
        if (listed[k] == listed[k - 1])
            return REFUSE(p, e->begin, "action %d is there twice in this event", listed[k] + 1);
    return true;
}

static void open_event(event *e, const char *line, const logbook *book) {
    *e = (event){.begin = line, .row = {.first_arm = LOGBOOK_FIRST, .first_line = book->lines}};
}

static bool close_event(parser *p, event *e, logbook *book) {
    const char *begin = e->begin;
    e->begin = NULL;
    if (begin == NULL) return true;
    if (e->row.count == 0) return REFUSE(p, begin, "an event without actions");
    if (!e->labelled)
        return REFUSE(p, begin, "no action of this event has a label, action:cost:probability and a space before |");
    logbook_end_row(book, &e->row);
    return true;
}

/* An event of one line. If it names one action alone, all actions of the file count as available. */
static bool read_event_line(parser *p, const char *line, const char *bar, const char *end, logbook *book) {
    event e;
    bool shared;
    open_event(&e, line, book);
    e.row.first_arm = book->listed_count;
    if (!read_labels(p, line, bar, &e, book, &shared) || !vw_read_features(p, bar, end, book)) return false;
    if (e.row.count > 1 && !sort_listed(p, &e, book)) return false;
    if (e.row.count == 1) {
        book->listed_count--;
        e.row.first_arm = LOGBOOK_FIRST;
        e.row.count = book->arms; /* known in the second pass */
    }
    if (!e.labelled) return REFUSE(p, line, "this event has no label action:cost:probability");
    e.begin = NULL;
    logbook_end_row(book, &e.row);
    return true;
}

static bool vw_read_line(parser *p, const char *line, const char *end, event *e, logbook *book) {
    if (skip_blanks(line, end) == end) return !p->by_actions || close_event(p, e, book);
    const char *bar = memchr(line, '|', (size_t)(end - line));
    if (bar == NULL) return REFUSE(p, line, "there is no |, behind which features follow");
    if (!p->by_actions) return read_event_line(p, line, bar, end, book);
    if (e->begin == NULL) open_event(e, line, book);
    return read_action_line(p, line, bar, end, e, book);
}

static const char *line_end(const char *line, const char *end) {
    const char *found = memchr(line, '\n', (size_t)(end - line));
    return found != NULL ? found : end;
}

/* Whether a line shows that events have a line for each action: it has `shared`, or no label. */
static bool says_actions(const char *line, const char *end) {
    const char *bar = memchr(line, '|', (size_t)(end - line)), *at = skip_blanks(line, end);
    if (bar == NULL) return false;
    span first = vw_word_at(at, bar, ' ', ' ');
    bool label = first.length > 0 && *at != '\'' && first.at + first.length < bar;
    return !label || vw_is_word(first, "shared");
}

static bool vw_tell(void *context, logbook *book) {
    parser *p = context;
    event e = {0};
    const char *next;
    for (const char *line = p->text; line < p->end; line = next < p->end ? next + 1 : next) {
        next = line_end(line, p->end);
        if (!vw_read_line(p, line, next, &e, book)) return false;
    }
    if (!close_event(p, &e, book)) return false;
    if (book->rows == 0) return REFUSE(p, p->text, "there is no event in this file");
    book->arms = p->largest + 1;
    book->constant = p->name_count == 0;
    book->width = book->constant ? 1 : p->name_count;
    return true;
}

posse_error vw_read(const char *text, size_t length, arena *memory, logbook *out, data_problem *problem) {
    arena scratch = {.allocator = memory->allocator};
    parser *p = arena_allocate(&scratch, sizeof *p);
    bool told = false;
    posse_error error = POSSE_ERROR_MEMORY;
    if (p != NULL) {
        *p = (parser){.text = text, .end = text + length, .problem = problem, .largest = -1};
        for (const char *line = text, *end; line < p->end && !p->by_actions; line = end < p->end ? end + 1 : end) {
            end = line_end(line, p->end);
            p->by_actions = says_actions(line, end);
        }
        error = logbook_make(out, memory, vw_tell, p, &told);
    }
    arena_release(&scratch);
    return error != POSSE_OK || told ? error : POSSE_ERROR_FIT;
}

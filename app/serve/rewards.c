/* SPDX-License-Identifier: MIT */
/*
 * A reader of a part of JSON: objects with these keys, each once, tokens without escapes, and numbers whose value is
 * exact after one division. The fuzz target `requests` compares it with the reader of all of JSON.
 */
#include "serve/rewards.h"

#include <stdlib.h>
#include <string.h>

#include "data/decimal.h"
#include "served/token.h"

#define EXACT_DIGITS 15 /* numbers of at most this many digits are the same for every reader of JSON */
#define TOKEN_MOST 64   /* longer texts are no tokens */

typedef struct reader {
    const char *at, *end;
} reader;

static void skip_space(reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')) r->at++;
}

/* A character behind any space. */
static bool rewards_take(reader *r, char c) {
    skip_space(r);
    if (r->at == r->end || *r->at != c) return false;
    r->at++;
    return true;
}

/* A key with its colon; without both, nothing is taken. `quoted` has the quotes around it. */
static bool rewards_take_key(reader *r, const char *quoted, size_t length) {
    skip_space(r);
    const char *from = r->at;
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, quoted, length) != 0) return false;
    r->at += length;
    if (rewards_take(r, ':')) return true;
    r->at = from;
    return false;
}

#define TAKE_KEY(r, name) rewards_take_key(r, "\"" name "\"", sizeof name + 1)

static bool rewards_read_token(reader *r, served_reward *out) {
    if (!rewards_take(r, '"')) return false;
    const char *at = r->at;
    while (at < r->end && token_places[(uint8_t)*at] != 0) at++;
    out->token = r->at;
    out->token_length = (size_t)(at - r->at);
    if (out->token_length > TOKEN_MOST || at == r->end || *at != '"') return false;
    r->at = at + 1;
    return true;
}

/* ----------------------------------------------------- numbers --------------------------------------------------- */

static bool rewards_is_digit(const reader *r) {
    return r->at < r->end && *r->at >= '0' && *r->at <= '9';
}

/* Appends digits to a number. False: there is none, or there are too many. */
static bool rewards_take_digits(reader *r, int64_t *number, int *count) {
    const char *from = r->at;
    for (; rewards_is_digit(r) && *count <= EXACT_DIGITS; (*count)++) *number = 10 * *number + (*r->at++ - '0');
    return r->at > from && *count <= EXACT_DIGITS;
}

/* A whole number without a sign, as JSON has it: no 0 before others. */
static bool rewards_read_whole(reader *r, int64_t *out) {
    int count = 0;
    *out = 0;
    skip_space(r);
    const char *first = r->at;
    return rewards_take_digits(r, out, &count) && (count == 1 || *first != '0');
}

/* Not -0, which is -0.0 or 0 depending on how it is written; nor exponents, nor more digits than are exact. */
static bool rewards_read_number(reader *r, double *out) {
    char text[EXACT_DIGITS + 3]; /* with sign, point and end */
    int64_t whole, fraction = 0;
    int digits = 0;
    skip_space(r);
    const char *from = r->at;
    bool negative = rewards_take(r, '-');
    if (!rewards_is_digit(r) || !rewards_read_whole(r, &whole)) return false;
    bool point = r->at < r->end && *r->at == '.';
    if (point) r->at++;
    if (point && !rewards_take_digits(r, &fraction, &digits)) return false;
    size_t length = (size_t)(r->at - from);
    if (length >= sizeof text || (r->at < r->end && (*r->at == 'e' || *r->at == 'E'))) return false;
    *out = (double)(negative ? -whole : whole);
    if (point) {
        memcpy(text, from, length);
        text[length] = '\0';
        if (decimal_read(text, out) != DECIMAL_FINE) return false;
    }
    return !(negative && *out == 0.0);
}

static bool take_word(reader *r, const char *word, size_t length) {
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) return false;
    r->at += length;
    return true;
}

static bool rewards_read_reward(reader *r, double *out) {
    skip_space(r);
    bool yes = take_word(r, "true", 4);
    if (yes || take_word(r, "false", 5)) {
        *out = yes ? 1.0 : 0.0;
        return true;
    }
    return rewards_read_number(r, out);
}

/* ------------------------------------------------------ the list ------------------------------------------------- */

/* "rewards[17]", without printf. */
static void rewards_write_path(char path[32], size_t place) {
    char digits[20];
    int count = 0;
    do digits[count++] = (char)('0' + place % 10);
    while ((place /= 10) > 0);
    memcpy(path, "rewards[", 8);
    path += 8;
    while (count > 0) *path++ = digits[--count];
    memcpy(path, "]", 2);
}

static bool rewards_read_entry(reader *r, size_t place, served_reward *out) {
    if (!rewards_take(r, '{')) return false;
    bool token_first = TAKE_KEY(r, "token");
    if (token_first && !(rewards_read_token(r, out) && rewards_take(r, ',') && TAKE_KEY(r, "reward") &&
                         rewards_read_reward(r, &out->reward)))
        return false;
    if (!token_first && !(TAKE_KEY(r, "reward") && rewards_read_reward(r, &out->reward) && rewards_take(r, ',') &&
                          TAKE_KEY(r, "token") && rewards_read_token(r, out)))
        return false;
    out->path_whole = false;
    rewards_write_path(out->path, place);
    return rewards_take(r, '}');
}

static bool rewards_grow(reward_list *l, size_t *room) {
    size_t wanted = *room > 0 ? 4 * *room : 80;
    served_reward *larger = realloc(l->list, wanted * sizeof *larger);
    if (larger == NULL) return false;
    l->list = larger;
    *room = wanted;
    return true;
}

static bool rewards_read_list(reader *r, reward_list *l) {
    size_t room = 0;
    if (l->list != NULL || !rewards_take(r, '[') || !rewards_grow(l, &room)) return false;
    if (rewards_take(r, ']')) return true;
    do {
        if (l->count == room && !rewards_grow(l, &room)) return false;
        if (!rewards_read_entry(r, l->count, &l->list[l->count])) return false;
        l->count++;
    } while (rewards_take(r, ','));
    return rewards_take(r, ']');
}

static bool read_key(reader *r, reward_list *l) {
    if (TAKE_KEY(r, "rewards")) return rewards_read_list(r, l);
    return l->n < 0 && TAKE_KEY(r, "n") && rewards_read_whole(r, &l->n) &&
           (r->at == r->end || strchr(".eE", *r->at) == NULL);
}

static bool rewards_read_all(reader *r, reward_list *l) {
    if (!rewards_take(r, '{')) return false;
    do
        if (!read_key(r, l)) return false;
    while (rewards_take(r, ','));
    if (!rewards_take(r, '}')) return false;
    skip_space(r);
    return r->at == r->end;
}

bool rewards_read(const char *text, size_t length, reward_list *out) {
    reader r = {text, text + length};
    *out = (reward_list){.n = -1};
    if (rewards_read_all(&r, out)) return true;
    free(out->list);
    *out = (reward_list){.n = -1};
    return false;
}

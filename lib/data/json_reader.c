/* SPDX-License-Identifier: MIT */
#include "data/json_reader.h"

#include <string.h>

#include "base/utf8.h"

json_reader json_reader_open(const char *text, size_t length) {
    return (json_reader){.text = text, .at = text, .end = text + length};
}

/* The token of a problem at a byte of the text. */
#define REFUSE(r, place, ...)                                                                                          \
    (data_refuse(&(r)->problem, (r)->text, place, __VA_ARGS__), (json_token){.type = JSON_TOKEN_WRONG, .at = (place)})

/* The byte here; 0 after the last, and 0 is never valid. */
static char json_reader_peek(const json_reader *r) {
    return r->at < r->end ? *r->at : '\0';
}

static bool json_reader_is_digit(const char *at, const char *end) {
    return at < end && *at >= '0' && *at <= '9';
}

static const char *json_reader_skip_digits(const char *at, const char *end) {
    while (json_reader_is_digit(at, end)) at++;
    return at;
}

/* ---------------------------------------------------- texts ------------------------------------------------------ */

/* The number of the four hexadecimal digits at a place; -1: they are not there. */
static long json_reader_unit(const char *at, const char *end) {
    static const char digits[] = "0123456789abcdef";
    long unit = 0;
    if (end - at < 4) return -1;
    for (int i = 0; i < 4; i++) {
        char c = at[i];
        const char *digit = c != '\0' ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
        if (digit == NULL) return -1;
        unit = 16 * unit + (digit - digits);
    }
    return unit;
}

/*
 * Reads the escape at a backslash, *at, and moves *at behind it. Returns its character, or -1 if there is none. Two
 * escapes in a row can be one character: \ud83d\ude00.
 */
static long json_reader_escape(const char **at, const char *end) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = end - *at > 1 ? (*at)[1] : '\0';
    const char *plain = c != '\0' ? strchr(from, c) : NULL;
    if (plain != NULL) {
        *at += 2;
        return to[plain - from];
    }
    long high = c == 'u' ? json_reader_unit(*at + 2, end) : -1;
    if (high < 0) return -1;
    *at += 6;
    if (high < 0xd800 || high > 0xdfff) return high;
    bool pair = high < 0xdc00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u';
    long low = pair ? json_reader_unit(*at + 2, end) : -1;
    if (low < 0xdc00 || low > 0xdfff) return -1;
    *at += 6;
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

/* Reads a text at its quote. */
static json_token json_reader_text(json_reader *r, json_token_type type) {
    const char *begin = ++r->at;
    while (r->at < r->end && *r->at != '"') {
        const char *here = r->at;
        unsigned char c = (unsigned char)*here;
        size_t step = utf8_length((const unsigned char *)here, (size_t)(r->end - here));
        if (step == 0) return REFUSE(r, here, "the byte 0x%02x is not UTF-8", c);
        if (c < 0x20) return REFUSE(r, here, "the control character 0x%02x must be written as \\u%04x", c, c);
        if (c != '\\')
            r->at += step;
        else if (json_reader_escape(&r->at, r->end) < 0)
            return REFUSE(r, here, "a backslash without a character that JSON has, such as \\n or \\u00e9");
    }
    if (r->at >= r->end) return REFUSE(r, begin - 1, "a quote that is not closed");
    return (json_token){type, begin, (size_t)(r->at++ - begin)};
}

static size_t json_reader_put(char *out, long c) {
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length - 1; i > 0; i--, c >>= 6) out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(first[length] | c);
    return length;
}

size_t json_reader_spell(const json_token *token, char *out) {
    const char *at = token->at, *end = at + token->length;
    size_t length = 0;
    while (at < end) {
        if (*at == '\\')
            length += json_reader_put(out + length, json_reader_escape(&at, end));
        else
            out[length++] = *at++;
    }
    out[length] = '\0';
    return length;
}

/* --------------------------------------------------- scalars ----------------------------------------------------- */

/* -? (0 | [1-9][0-9]*) (\.[0-9]+)? ([eE][-+]?[0-9]+)? */
static json_token json_reader_number(json_reader *r) {
    const char *begin = r->at, *at = begin + (*begin == '-'), *whole = at;
    at = json_reader_skip_digits(at, r->end);
    bool fine = at > whole && (*whole != '0' || at == whole + 1);
    if (at < r->end && *at == '.') {
        fine = fine && json_reader_is_digit(at + 1, r->end);
        at = json_reader_skip_digits(at + 1, r->end);
    }
    if (at < r->end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < r->end && (*at == '-' || *at == '+')) at++;
        fine = fine && json_reader_is_digit(at, r->end);
        at = json_reader_skip_digits(at, r->end);
    }
    r->at = at;
    if (!fine) return REFUSE(r, begin, "a number is written as 12, -0.5 or 1e-3");
    return (json_token){JSON_TOKEN_NUMBER, begin, (size_t)(at - begin)};
}

static json_token json_reader_word(json_reader *r) {
    static const struct {
        const char *word;
        json_token_type type;
    } words[] = {{"true", JSON_TOKEN_TRUE}, {"false", JSON_TOKEN_FALSE}, {"null", JSON_TOKEN_NULL}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if ((size_t)(r->end - r->at) < length || memcmp(r->at, words[i].word, length) != 0) continue;
        json_token token = {words[i].type, r->at, length};
        r->at += length;
        return token;
    }
    return REFUSE(r, r->at,
                  "a value is needed here: a number, a text in double quotes, true, false, null, [..] or "
                  "{..}");
}

/* ------------------------------------------------ lists and maps ------------------------------------------------- */

static json_token json_reader_open_nest(json_reader *r, bool map) {
    if (r->depth == JSON_DEPTH_MAX) return REFUSE(r, r->at, "nested more than %d deep", JSON_DEPTH_MAX);
    r->in_map[r->depth++] = map;
    r->wants = JSON_WANTS_FIRST;
    return (json_token){map ? JSON_TOKEN_MAP : JSON_TOKEN_LIST, r->at++, 1};
}

static json_token json_reader_close_nest(json_reader *r) {
    bool map = r->in_map[--r->depth];
    r->wants = JSON_WANTS_COMMA;
    return (json_token){map ? JSON_TOKEN_MAP_END : JSON_TOKEN_LIST_END, r->at++, 1};
}

static void json_reader_skip_blank(json_reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t')) r->at++;
}

static json_token json_reader_value(json_reader *r) {
    char c = json_reader_peek(r);
    if (c == '{' || c == '[') return json_reader_open_nest(r, c == '{');
    r->wants = JSON_WANTS_COMMA;
    if (c == '"') return json_reader_text(r, JSON_TOKEN_TEXT);
    if (c == '-' || json_reader_is_digit(r->at, r->end)) return json_reader_number(r);
    return json_reader_word(r);
}

static json_token json_reader_key(json_reader *r) {
    if (json_reader_peek(r) != '"') return REFUSE(r, r->at, "a key in double quotes is needed here");
    json_token key = json_reader_text(r, JSON_TOKEN_KEY);
    if (key.type == JSON_TOKEN_WRONG) return key;
    json_reader_skip_blank(r);
    if (json_reader_peek(r) != ':') return REFUSE(r, r->at, "a colon is needed behind the key");
    r->at++;
    r->wants = JSON_WANTS_VALUE;
    return key;
}

json_token json_reader_next(json_reader *r) {
    json_reader_skip_blank(r);
    bool open = r->depth > 0, map = open && r->in_map[r->depth - 1];
    char close = map ? '}' : ']';
    if (r->at == r->end && r->wants == JSON_WANTS_COMMA && !open) return (json_token){JSON_TOKEN_END, r->at, 0};
    if (r->at == r->end) return REFUSE(r, r->at, open ? "the text ends inside of a list or map" : "the text is empty");
    if (r->wants == JSON_WANTS_VALUE) return json_reader_value(r);
    if (!open) return REFUSE(r, r->at, "the text should end here");
    if (*r->at == close) return json_reader_close_nest(r);
    if (r->wants == JSON_WANTS_COMMA) {
        if (*r->at != ',') return REFUSE(r, r->at, "a comma or %c is needed here", close);
        r->at++;
        json_reader_skip_blank(r);
    }
    return map ? json_reader_key(r) : json_reader_value(r);
}

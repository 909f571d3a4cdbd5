/* SPDX-License-Identifier: MIT */
/*
 * Reads JSON (RFC 8259) token by token. The reader allocates nothing and keeps nothing but its place, so a text of any
 * shape takes the memory that its caller gives to the tokens. The program compiles the source too, because its
 * functions are hidden in the library.
 */
#ifndef POSSE_DATA_JSON_READER_H
#define POSSE_DATA_JSON_READER_H

#include "data/problem.h"

typedef enum json_token_type {
    JSON_TOKEN_WRONG, /* this is not JSON: the reader's problem has the place and the reason */
    JSON_TOKEN_END,   /* the text has ended */
    JSON_TOKEN_MAP,
    JSON_TOKEN_MAP_END,
    JSON_TOKEN_LIST,
    JSON_TOKEN_LIST_END,
    JSON_TOKEN_KEY, /* of a map; its value comes next */
    JSON_TOKEN_TEXT,
    JSON_TOKEN_NUMBER,
    JSON_TOKEN_TRUE,
    JSON_TOKEN_FALSE,
    JSON_TOKEN_NULL
} json_token_type;

typedef struct json_token {
    json_token_type type;
    const char *at; /* where it is: for keys and texts behind the quote */
    size_t length;  /* of a key or text as it is written, or of a number */
} json_token;

/* How deep lists and maps may be nested. */
#define JSON_DEPTH_MAX 64

typedef struct json_reader {
    const char *text, *at, *end;
    int depth;
    bool in_map[JSON_DEPTH_MAX]; /* what is open, outermost first; otherwise a list */
    enum { JSON_WANTS_VALUE, JSON_WANTS_FIRST, JSON_WANTS_COMMA } wants;
    data_problem problem;
} json_reader;

json_reader json_reader_open(const char *text, size_t length);

/* The next token. Texts are valid UTF-8, and their escapes are valid. After WRONG and END nothing may be read. */
json_token json_reader_next(json_reader *r);

/*
 * Writes a key or text without its escapes, and a zero behind it, to `out`, which has room for token->length + 1 bytes.
 * Returns its length. The text may contain zeros, if it was written with \u0000.
 */
size_t json_reader_spell(const json_token *token, char *out);

#endif

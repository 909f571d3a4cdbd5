/* SPDX-License-Identifier: MIT */
/* What readers of the forms of a table (csv.c, arff.c, libsvm.c) share: the place in the text, and room for cells. */
#ifndef POSSE_DATA_CSV_FORM_H
#define POSSE_DATA_CSV_FORM_H

#include "data/csv.h"

/* The most bytes of a cell that a message shows. */
#define CSV_SHOWN 40

/* The next byte; -1 after the last. */
static inline int csv_peek(const csv *c) {
    return c->at < c->length ? (unsigned char)c->text[c->at] : -1;
}

/* Advances by a byte. Bytes that continue a character do not count as columns. */
static inline char csv_step(csv *c) {
    char byte = c->text[c->at++];
    if (byte == '\n') {
        c->line++;
        c->column = 1;
    } else if (((unsigned char)byte & 0xc0) != 0x80)
        c->column++;
    return byte;
}

/* Whether a line ends here. */
static inline bool csv_is_break(const csv *c) {
    bool pair = csv_peek(c) == '\r' && c->at + 1 < c->length && c->text[c->at + 1] == '\n';
    return csv_peek(c) == '\n' || pair;
}

static inline bool csv_at_end(const csv *c) {
    return csv_peek(c) < 0 || csv_is_break(c);
}

static inline void csv_end_line(csv *c) {
    if (csv_peek(c) == '\r') csv_step(c);
    if (csv_peek(c) == '\n') csv_step(c);
}

static inline void csv_skip_spaces(csv *c) {
    while (csv_peek(c) == ' ' || csv_peek(c) == '\t') csv_step(c);
}

/* Makes room for a header of this many columns, whose names take at most this many bytes. */
posse_error csv_make_columns(csv *c, int columns, size_t bytes);

/* Makes room for the cells of a row. */
posse_error csv_make_room(csv *c, size_t bytes);

/* Ends the name of column j, which was just read: it must not be empty, and no column before it may have it. */
posse_error csv_check_name(csv *c, int j);

#endif

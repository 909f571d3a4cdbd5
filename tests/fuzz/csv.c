/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the readers of tables: CSV, ARFF and libsvm. Whatever the bytes, it returns rows as wide as the header, or a
 * problem with a message, and the same when the table is read again. Numbers are those that strtod reads.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/table_file.h"

static void expect(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void look_at_cell(csv *c, int column) {
    const char *text = c->cells[column].text;
    double x;
    expect(c->cells[column].line > 0 && c->cells[column].column > 0, "a cell without a position");
    if (csv_number(c, column, &x) == POSSE_OK) {
        double known = strtod(text, NULL);
        expect(memcmp(&x, &known, sizeof x) == 0, "another number than strtod's");
    } else
        expect(strlen(c->problem) > 10, "a cell was refused without a word");
}

/* The number of rows, or -1 if the table is wrong. */
static int read_rows(csv *c) {
    bool more = true;
    int rows = 0;
    while (more) {
        if (csv_next(c, &more) != POSSE_OK) {
            expect(strlen(c->problem) > 10, "a row was refused without a word");
            return -1;
        }
        for (int j = 0; more && j < c->columns; j++) look_at_cell(c, j);
        rows += more;
    }
    return rows;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at_table(csv *c, posse_error error) {
    if (error == POSSE_OK) {
        int rows = read_rows(c);
        csv_rewind(c);
        expect(read_rows(c) == rows, "the second time there are other rows");
    } else
        expect(strlen(c->problem) > 3, "a table was refused without a word");
    csv_close(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    csv c;
    const char *text = (const char *)data;
    look_at_table(&c, csv_open_text(&c, "x", text, size, NULL));
    look_at_table(&c, csv_open_form_text(&c, "x", &arff_form, text, size, NULL));
    look_at_table(&c, csv_open_form_text(&c, "x", &libsvm_form, text, size, NULL));
    return 0;
}

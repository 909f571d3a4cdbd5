/* SPDX-License-Identifier: MIT */
/*
 * gnuplot as a process that gets a script on its standard input.
 */
#ifndef REPORT_DRAW_GNUPLOT_H
#define REPORT_DRAW_GNUPLOT_H

#include <stddef.h>
#include <stdio.h>

typedef enum gnuplot_outcome { GNUPLOT_DONE, GNUPLOT_MISSING, GNUPLOT_FAILED } gnuplot_outcome;

/* Runs a script inside a directory, to which its outputs are relative. */
gnuplot_outcome gnuplot_run(const char *directory, const char *script, size_t size);

/*
 * Writes text as a string of gnuplot's. Within single quotes gnuplot expands nothing: no backslash, no `command`, no
 * @macro. A quote becomes an apostrophe, since gnuplot misreads a doubled quote at the start of a string and two in a
 * row. A control character becomes a space. After `most` characters an ellipsis stands for the rest.
 */
void gnuplot_string(FILE *out, const char *text, size_t most);

#endif

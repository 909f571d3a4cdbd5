/* SPDX-License-Identifier: MIT */
/*
 * Output for people: whether it goes to a terminal, how wide that is, and text that is wrapped to fit.
 */
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>
#include <stdio.h>

/* False under mpirun, which gives its processes a terminal of their own and passes on what they print. */
bool screen_is_terminal(FILE *out);

/* The columns of the terminal, at least 60; 100 if the output goes elsewhere. */
int screen_width(FILE *out);

/* The columns that a text takes on the screen; bytes that continue a UTF-8 character take none. */
int screen_columns(const char *text);

/* Prints a text and the end of its line. It begins in column `indent`, and so do the lines that it is broken into. */
void screen_wrap(FILE *out, const char *text, int indent, int width);

#endif

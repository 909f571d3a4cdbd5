/* SPDX-License-Identifier: MIT */
/*
 * Which characters the installed fonts can show. cairo draws a box where no font has a character, and at the scale of
 * our pictures gnuplot makes that box larger than the picture. So such characters are spelled out: \u5b66.
 */
#ifndef REPORT_DRAW_GLYPHS_H
#define REPORT_DRAW_GLYPHS_H

#include <stddef.h>
#include <stdio.h>

/* Writes text in UTF-8, with the characters that no installed font has spelled out. */
void glyphs_put(const char *text, size_t size, FILE *out);

#endif

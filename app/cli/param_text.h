/* SPDX-License-Identifier: MIT */
/*
 * The declaration of a key in words: its type, its default and its range. Texts are cut to PARAM_TEXT bytes.
 */
#ifndef PARAM_TEXT_H
#define PARAM_TEXT_H

#include "posse_kinds.h"

#define PARAM_TEXT 96

void param_type_text(const posse_param *p, char text[PARAM_TEXT]);    /* for POSSE_TYPE_WORD its words: "ball|sphere" */
void param_default_text(const posse_param *p, char text[PARAM_TEXT]); /* empty: there is none */
void param_range_text(const posse_param *p, char text[PARAM_TEXT]);   /* "(0, 1]"; empty: there is none */

#endif

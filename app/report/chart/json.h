/* SPDX-License-Identifier: MIT */
/*
 * The data that several pages have, as JSON. Functions return NULL if there is no memory.
 */
#ifndef REPORT_CHART_JSON_H
#define REPORT_CHART_JSON_H

#include "report/chart/style.h"

/*
 * Adds a value to a list or an object, which takes it over. If there is no memory, or was none for the value, which
 * then is NULL, the list becomes NULL; so does what json_pack makes of it. No part of a page is left out unnoticed.
 */
void json_add(json_t **list, json_t *value);
void json_set(json_t **object, const char *key, json_t *value);

/* A number as JSON; null if it is not finite. */
json_t *json_number(double number);

json_t *json_style(style look);
json_t *json_competitors(const dossier *r);

/* A table as it is in its file: a list with an object per row. */
json_t *json_table(const result_table *t);

#endif

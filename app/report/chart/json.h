/* SPDX-License-Identifier: MIT */
/*
 * The data that several pages have, as JSON.
 */
#ifndef REPORT_CHART_JSON_H
#define REPORT_CHART_JSON_H

#include "report/chart/style.h"

/* A number as JSON; null if it is not finite. */
json_t *json_number(double number);

json_t *json_style(style look);
json_t *json_competitors(const record *r);

/* A table as it is in its file: a list with an object per row. */
json_t *json_table(const csv *table);

#endif

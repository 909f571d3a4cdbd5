/*
 * What the pages have in common, as JSON.
 */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "report/style.h"

json_t *json_style(style look);
json_t *json_competitors(const record *r);

/* A table as it is in its file: an object per row. */
json_t *json_table(const csv *table);

#endif

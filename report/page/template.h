/*
 * Pages from templates: a text of the program in which {{name}} stands for something.
 */
#ifndef REPORT_PAGE_TEMPLATE_H
#define REPORT_PAGE_TEMPLATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * Writes DIRECTORY/index.html from the template `name`. {{title}} is `title`, safe in HTML; {{data}} is `data` as JSON,
 * safe in a script; {{x}} is the asset x as it is. Returns false if it could not be written.
 */
bool template_write(const char *directory, const char *name, const char *title, const json_t *data, FILE *messages);

/* A number for a page: null where it is none. */
json_t *template_number(double number);

#endif

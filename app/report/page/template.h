/* SPDX-License-Identifier: MIT */
/*
 * Pages from templates. A template is an asset with places of the form {{name}}, which are replaced.
 */
#ifndef REPORT_PAGE_TEMPLATE_H
#define REPORT_PAGE_TEMPLATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * Writes DIRECTORY/FILE from the template `name`. {{title}} is `title`, safe in HTML; {{data}} is `data` as JSON,
 * safe in a script; {{x}} is the asset x as it is. Returns false if the page could not be written,
 * or if `data` is NULL because there was no memory for it.
 */
bool template_write(const char *directory, const char *file, const char *name, const char *title, const json_t *data,
                    FILE *messages);

#endif

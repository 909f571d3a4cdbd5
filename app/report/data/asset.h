/* SPDX-License-Identifier: MIT */
/*
 * Files that are part of the program: templates, styles and scripts of the pages, and the paper's experiment files.
 * cmake/embed.cmake turns them into C.
 */
#ifndef REPORT_DATA_ASSET_H
#define REPORT_DATA_ASSET_H

#include <stddef.h>

typedef struct asset {
    const char *name;
    const char *text; /* with a NUL after it */
    size_t size;
} asset;

extern const asset page_assets[];  /* up to a NULL name */
extern const asset paper_assets[]; /* the same, in the order of the front page */

#endif

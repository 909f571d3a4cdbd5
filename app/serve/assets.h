/* SPDX-License-Identifier: MIT */
/*
 * Files that are part of the server.
 */
#ifndef SERVE_ASSETS_H
#define SERVE_ASSETS_H

#include "report/data/asset.h"

extern const asset serve_assets[]; /* up to a NULL name */

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What the commands of the server share.
 */
#ifndef SERVING_H
#define SERVING_H

#define DATABASE "posse.db" /* if none is named */

#endif

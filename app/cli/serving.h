/* SPDX-License-Identifier: MIT */
/*
 * What the commands of the server share.
 */
#ifndef SERVING_H
#define SERVING_H

#define DATABASE "posse.db" /* where none is named */

#endif

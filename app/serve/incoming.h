/* SPDX-License-Identifier: MIT */
/*
 * From a request as libevent has read it to the request that is handled: its path, its token, and its body.
 */
#ifndef SERVE_INCOMING_H
#define SERVE_INCOMING_H

#include "serve/request.h"

/* Makes the answer (request_answer). local_only: requests of pages of other sites are refused. */
int incoming_answer(request *r, struct evhttp_request *http, bool local_only);

#endif

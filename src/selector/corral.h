/* SPDX-License-Identifier: MIT */
/*
 * One step of CORRAL, which is public to the tests.
 */
#ifndef POSSE_SELECTOR_CORRAL_H
#define POSSE_SELECTOR_CORRAL_H

/*
 * A step of mirror descent with the log barrier and learning rates rate_j: out is the distribution with
 *
 *     1 / out_j = 1 / p_j + rate_j (l_j - lambda),
 *
 * where l_j is `loss` for the loser and 0 for the others, and lambda in [0, loss] is such that out sums to 1, to within
 * 1e-12. Where p_j is 0, so is out_j; out may be p.
 */
void corral_step(const double *p, const double *rate, int count, int loser, double loss, double *out);

#endif

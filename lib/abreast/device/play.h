/* SPDX-License-Identifier: MIT */
/*
 * One run of one competitor, as a thread of a GPU plays it. The operations of a run, their order, its streams and its
 * ties are those of learner/, belief/ and selector/bms.c, so that it has the same bits. Compiled for a processor
 * (device/host.c), the same source plays a run at a time.
 *
 * Define LANES as 1 before including.
 */
#ifndef POSSE_ABREAST_DEVICE_PLAY_H
#define POSSE_ABREAST_DEVICE_PLAY_H

#include "abreast/device/job.h"

#include "numeric/elementary_wide.h"
#include "random/philox_wide.h"

#define NORMALS_MOST 8    /* normals that are made together */
#define TAILS_GATHERED 64 /* places for the tails of a warp: of 8 normals in 32 threads, 39 are expected */

/*
 * What a run remembers. A number of cells belongs to each run; those of neighbouring runs are side by side.
 *     sums     of the belief, arm by arm; then of each mind
 *     counts   two arms to a word: the plays of each learner; then of all. Then a word for each learner, its plays
 */
typedef struct play_cells {
    double *sums;
    uint32_t *counts;
    size_t stride;
    double *tails; /* places that the threads of a warp share */
} play_cells;

/* One run: where its numbers are, and where they go. */
typedef struct play_run {
    uint32_t run;   /* its number in the experiment */
    uint32_t place; /* its place in the flight, or that of another run if it does not count */
    bool counts;    /* false: a thread without a run, which keeps its warp complete */
    const double *means, *gaps;
    double *slip;
    device_curves curves; /* rows of this competitor */
    play_cells cells;
} play_run;

WIDE size_t words_of(size_t arms) {
    return (arms + 1) / 2;
}

WIDE size_t play_sums(size_t arms, const device_competitor *c) {
    return (size_t)(c->selects + c->minds) * arms;
}

WIDE size_t play_counts(size_t arms, const device_competitor *c) {
    return (size_t)(c->learners + 1) * words_of(arms) + (size_t)c->learners;
}

/* -------------------------------------------------- cells ------------------------------------------------------- */

WIDE double *sum_at(const play_cells *s, size_t index) {
    return &s->sums[index * s->stride];
}

WIDE uint32_t *word_at(const play_cells *s, size_t index) {
    return &s->counts[index * s->stride];
}

/* A whole number below 2^32, exactly. */
WIDE double whole(uint32_t n) {
    return wide_from_bits(0x4330000000000000 | n) - 0x1p52;
}

WIDE uint32_t count_at(const play_cells *s, size_t first, size_t arm) {
    return *word_at(s, first + arm / 2) >> (arm % 2 * 16) & 0xffff;
}

WIDE void count_up(const play_cells *s, size_t first, size_t arm) {
    *word_at(s, first + arm / 2) += (uint32_t)1 << (arm % 2 * 16);
}

/* ------------------------------------------------ randomness ---------------------------------------------------- */

/* The two draws of a block of a stream. */
WIDE void draw_block(uint64_t seed, uint32_t run, uint64_t stream, uint64_t block, uint64_t *even, uint64_t *odd) {
    counter c = counter_of(run, stream, block);
    schedule s = schedule_of(seed);
    for (int round = 0; round < PHILOX_ROUNDS; round++) philox_round(&c, s.key[round]);
    *even = even_draw(&c);
    *odd = odd_draw(&c);
}

WIDE double normal_of_tail(double q) {
    return wide_signed_as(wide_normal_tail(wide_log(0.5 - wide_absolute(q), 0.0)), q);
}

WIDE bool is_tail(double q) {
    return wide_absolute(q) > NORMAL_CENTRE;
}

/*
 * Normals from words, NORMALS_MOST of them at most. A tail takes several times as long as the centre, and nearly every
 * warp has one in each of its normals. So the tails of a warp are gathered and made side by side.
 */
#if defined(__CUDA_ARCH__)
WIDE void make_normals(const uint64_t *words, size_t count, bool wanted, double *out, double *tails) {
    const unsigned all = 0xffffffff, lane = threadIdx.x % 32, before = (1u << lane) - 1;
    unsigned found = 0, at[NORMALS_MOST];
#pragma unroll
    for (size_t i = 0; i < count; i++) {
        double q = wide_uniform(words[i]) - 0.5;
        bool tail = wanted && is_tail(q);
        unsigned mask = __ballot_sync(all, tail);
        at[i] = tail ? found + __popc(mask & before) : TAILS_GATHERED;
        found += __popc(mask);
        out[i] = wide_normal_centre(q);
        if (at[i] < TAILS_GATHERED) tails[at[i]] = q;
        if (tail && at[i] >= TAILS_GATHERED) out[i] = normal_of_tail(q);
    }
    __syncwarp();
    for (unsigned i = lane; i < found && i < TAILS_GATHERED; i += 32) tails[i] = normal_of_tail(tails[i]);
    __syncwarp();
#pragma unroll
    for (size_t i = 0; i < count; i++)
        if (at[i] < TAILS_GATHERED) out[i] = tails[at[i]];
    __syncwarp();
}
#else
WIDE void make_normals(const uint64_t *words, size_t count, bool wanted, double *out, double *tails) {
    (void)wanted, (void)tails;
    for (size_t i = 0; i < count; i++) {
        double q = wide_uniform(words[i]) - 0.5;
        out[i] = is_tail(q) ? normal_of_tail(q) : wide_normal_centre(q);
    }
}
#endif

/* The same for any number. */
WIDE void make_all_normals(const uint64_t *words, size_t count, bool wanted, double *out, double *tails) {
    if (count <= NORMALS_MOST) {
        make_normals(words, count, wanted, out, tails);
        return;
    }
    for (size_t done = 0; done < count; done += NORMALS_MOST) {
        uint64_t some[NORMALS_MOST];
        double made[NORMALS_MOST];
        for (size_t i = 0; i < NORMALS_MOST; i++) some[i] = words[done + i < count ? done + i : count - 1];
        make_normals(some, NORMALS_MOST, wanted, made, tails);
        for (size_t i = 0; i < NORMALS_MOST && done + i < count; i++) out[done + i] = made[i];
    }
}

/* The next draws of a stream whose position is the same in all runs. An odd draw is kept for the next call. */
WIDE void next_words(uint64_t seed, uint32_t run, uint64_t stream, uint64_t position, uint64_t *spare, size_t count,
                     bool odd, uint64_t *words) {
    if (odd) words[0] = *spare;
    for (size_t i = odd; i < count; i += 2) {
        uint64_t second;
        draw_block(seed, run, stream, (position + i) / 2, &words[i], &second);
        if (i + 1 < count)
            words[i + 1] = second;
        else
            *spare = second;
    }
}

/* The upper half of a product, and the lower one. */
WIDE uint64_t multiply_high(uint64_t a, uint64_t b, uint64_t *low) {
    *low = a * b;
#if defined(__CUDA_ARCH__)
    return __umul64hi(a, b);
#else
    __extension__ typedef unsigned __int128 product;
    return (uint64_t)((product)a * b >> 64);
#endif
}

/* posse_draw_index (random/index.c) of a stream at its own position in each run. */
WIDE uint32_t draw_index(uint64_t seed, uint32_t run, uint64_t stream, uint32_t *position, uint32_t count) {
    uint64_t low, high, unfair = (0 - (uint64_t)count) % count;
    do {
        uint64_t even, odd;
        draw_block(seed, run, stream, *position / 2, &even, &odd);
        high = multiply_high(*position % 2 == 0 ? even : odd, count, &low);
        *position += 1;
    } while (low < unfair);
    return (uint32_t)high;
}

/* ------------------------------------------------- statistics --------------------------------------------------- */

/*
 * sum / n, where inverse is 1 / n, correctly rounded. On a GPU a division would compute that inverse again; the two
 * fused operations make the quotient correctly rounded as well (Markstein 1990), unless numbers are very small or
 * large, which device.c rules out.
 */
WIDE double quotient(double sum, double n, double inverse) {
#if defined(__CUDA_ARCH__)
    double near = sum * inverse;
    return __fma_rn(__fma_rn(-near, n, sum), inverse, near);
#else
    (void)inverse;
    return sum / n;
#endif
}

typedef struct estimate {
    double mean, spread;
} estimate;

/* What a rule makes of n rewards of an arm. */
WIDE estimate estimate_of(const double *numbers, const device_rule *r, bool bayes, size_t arm, uint32_t n, double sum) {
    const double *pair = numbers + r->spread + arm * r->step + 2 * (size_t)n;
    estimate e = {bayes ? sum * pair[0] : quotient(sum, whole(n), pair[0]), pair[1]};
    if (n == 0) e.mean = numbers[r->means + arm];
    return e;
}

/* --------------------------------------------------- choosing --------------------------------------------------- */

/* Draws a world, charges the learners as charge_gaps does, and chooses one of those charged least as bms.c does. */
WIDE int32_t play_choose(size_t arms, const device_plan *p, const device_competitor *c, const play_run *r,
                         const estimate *belief, const double *normals, uint32_t *ties_drawn) {
    const play_cells *s = &r->cells;
    const size_t words = words_of(arms), learners = (size_t)c->learners, plays = (learners + 1) * words;
    double gap[DEVICE_ARMS_MOST], best = -__builtin_inf(), least = __builtin_inf();
    for (size_t a = 0; a < arms; a++) {
        gap[a] = belief[a].mean + belief[a].spread * normals[a];
        best = wide_larger(gap[a], best);
    }
    for (size_t a = 0; a < arms; a++) gap[a] = best - gap[a];
    uint64_t tied = 0;
    for (size_t i = 0; i < learners; i++) {
        double sum = 0.0;
        for (size_t w = 0; w < words; w++) {
            uint32_t pair = *word_at(s, i * words + w);
            sum = sum + whole(pair & 0xffff) * gap[2 * w];
            if (2 * w + 1 < arms) sum = sum + whole(pair >> 16) * gap[2 * w + 1];
        }
        if (c->patient) sum = sum * p->numbers[c->charged + *word_at(s, plays + i)];
        tied = sum < least ? (uint64_t)1 << i : sum == least ? tied | (uint64_t)1 << i : tied;
        least = wide_smaller(sum, least);
    }
    if ((tied & (tied - 1)) != 0) {
#if defined(__CUDA_ARCH__)
        uint32_t count = (uint32_t)__popcll(tied);
#else
        uint32_t count = (uint32_t)__builtin_popcountll(tied);
#endif
        uint32_t rank = draw_index(p->seed, r->run, c->ties_stream, ties_drawn, count);
        for (; rank > 0; rank--) tied &= tied - 1;
    }
#if defined(__CUDA_ARCH__)
    return __ffsll((long long)tied) - 1;
#else
    return __builtin_ctzll(tied);
#endif
}

/* The arm of a learner: the largest mean + spread * factor, the first among equals. */
WIDE uint32_t play_act(size_t arms, const device_plan *p, const device_competitor *c, const play_run *r, int32_t chosen,
                       uint32_t round, uint32_t plays) {
    const play_cells *s = &r->cells;
    const device_rule *rule = &c->rules[chosen];
    const size_t words = words_of(arms), record = (c->share ? (size_t)c->learners : (size_t)chosen) * words,
                 sums = (size_t)(c->selects + (c->share ? c->mind[chosen] : chosen)) * arms;
    const bool bayes = c->some_bayes && (!c->some_ucb || rule->kind == DEVICE_BAYES);
    double normals[DEVICE_ARMS_MOST], factor = 0.0;
    if (c->some_bayes) {
        uint64_t drawn[DEVICE_ARMS_MOST + 2];
        const uint64_t position = (uint64_t)plays * arms, odd = position % 2;
        for (size_t i = 0; i < arms + arms % 2; i += 2)
            draw_block(p->seed, r->run, rule->stream, position / 2 + i / 2, &drawn[i], &drawn[i + 1]);
        if (arms % 2 == 0) /* then the position is even */
            make_all_normals(drawn, arms, bayes, normals, s->tails);
        else {
            uint64_t shifted[DEVICE_ARMS_MOST];
            for (size_t i = 0; i < arms; i++) shifted[i] = odd ? drawn[i + 1] : drawn[i];
            make_all_normals(shifted, arms, bayes, normals, s->tails);
        }
    }
    if (rule->kind == DEVICE_FIXED) return (uint32_t)rule->arm;
    if (!bayes) factor = p->numbers[rule->radii + (c->share ? round : plays)];
    double top = -__builtin_inf();
    uint32_t arm = 0;
    for (size_t a = 0; a < arms; a++) {
        estimate e = estimate_of(p->numbers, rule, bayes, a, count_at(s, record, a), *sum_at(s, sums + a));
        double index = e.mean + e.spread * (bayes ? normals[a] : factor);
        arm = index > top ? (uint32_t)a : arm;
        top = wide_larger(index, top);
    }
    return arm;
}

/* --------------------------------------------------- recording -------------------------------------------------- */

typedef struct play_notes {
    double regret;
    uint32_t optimal, point, watched, matching;
    double
        ledger[2 * DEVICE_LEARNERS_MOST]; /* of each learner: the regret of its plays, the square of the coefficient */
} play_notes;

/* Before a choice counts: the regret of the plays of each learner in the true world. */
WIDE void note_match(size_t arms, const device_plan *p, const device_competitor *c, const play_run *r, uint32_t matched,
                     int32_t chosen) {
    const play_cells *s = &r->cells;
    const size_t words = words_of(arms), learners = (size_t)c->learners;
    double *to = r->slip + SLIP_WATCHED + p->watched_count + 3 * learners + matched * (2 * learners + 1);
    if (!r->counts) return;
    *to++ = (double)c->place[chosen];
    for (size_t i = 0; i < learners; i++) {
        double sum = 0.0;
        for (size_t a = 0; a < arms; a++)
            sum = sum + whole(count_at(s, i * words, a)) * r->gaps[a * r->curves.runs + r->place];
        *to++ = sum;
        *to++ = whole(*word_at(s, (learners + 1) * words + i));
    }
}

WIDE void note_round(const device_plan *p, const device_competitor *c, const play_run *r, uint32_t round,
                     int32_t chosen, uint32_t plays, double regret, play_notes *n) {
    n->regret += regret;
    if (n->point < p->point_count && p->points[n->point] == round + 1) {
        size_t at = (size_t)n->point * r->curves.runs + r->place;
        if (r->counts) {
            r->curves.regrets[at] = n->regret;
            r->curves.optimal[at] = regret == 0.0;
            if (c->selects) r->curves.choices[at] = (uint16_t)c->place[chosen];
        }
        n->point++;
    }
    if (n->watched < p->watched_count && p->watched[n->watched] == round + 1) {
        if (r->counts) r->slip[SLIP_WATCHED + n->watched] = n->regret;
        n->watched++;
    }
    if (round >= p->rounds - p->tail) n->optimal += regret == 0.0;
    if (!c->selects) return;
    double sum = n->ledger[2 * chosen] += regret;
    if (sum * sum > n->ledger[2 * chosen + 1] * whole(plays)) n->ledger[2 * chosen + 1] = sum * sum / whole(plays);
}

WIDE void note_end(size_t arms, const device_plan *p, const device_competitor *c, const play_run *r,
                   const play_notes *n) {
    const size_t learners = (size_t)c->learners, plays = (learners + 1) * words_of(arms);
    double *of_learners = r->slip + SLIP_WATCHED + p->watched_count;
    if (!r->counts) return;
    r->slip[SLIP_REGRET] = n->regret;
    r->slip[SLIP_OPTIMAL] = whole(n->optimal);
    for (size_t i = 0; i < learners && c->selects; i++) {
        of_learners[i] = whole(*word_at(&r->cells, plays + i));
        of_learners[learners + i] = n->ledger[2 * i];
        of_learners[2 * learners + i] = n->ledger[2 * i + 1];
    }
}

/* ---------------------------------------------------- playing --------------------------------------------------- */

WIDE void play_begin(size_t arms, const device_plan *p, const device_competitor *c, const play_cells *s,
                     estimate *belief) {
    for (size_t a = 0; a < arms && c->selects; a++) {
        *sum_at(s, a) = p->numbers[c->belief.sums + a];
        belief[a] = estimate_of(p->numbers, &c->belief, true, a, 0, 0.0);
    }
    for (size_t i = 0; i < (size_t)c->minds; i++)
        for (size_t a = 0; a < arms; a++)
            *sum_at(s, ((size_t)c->selects + i) * arms + a) = p->numbers[c->rules[c->minded[i]].sums + a];
    for (size_t i = 0; i < play_counts(arms, c); i++) *word_at(s, i) = 0;
}

WIDE void play_learn(size_t arms, const device_plan *p, const device_competitor *c, const play_cells *s, int32_t chosen,
                     uint32_t arm, double reward, estimate *belief) {
    const size_t words = words_of(arms), learners = (size_t)c->learners;
    count_up(s, (size_t)chosen * words, arm);
    count_up(s, learners * words, arm);
    *word_at(s, (learners + 1) * words + (size_t)chosen) += 1;
    if (c->share)
        for (size_t i = 0; i < (size_t)c->minds; i++)
            *sum_at(s, ((size_t)c->selects + i) * arms + arm) += c->rules[c->minded[i]].weight * reward;
    else
        *sum_at(s, (size_t)(c->selects + chosen) * arms + arm) += c->rules[chosen].weight * reward;
    if (!c->selects) return;
    double sum = *sum_at(s, arm) += c->belief.weight * reward;
    estimate e = estimate_of(p->numbers, &c->belief, true, arm, count_at(s, learners * words, arm), sum);
    for (size_t a = 0; a < arms; a++) belief[a] = a == arm ? e : belief[a];
}

/* Plays a run, unless it is halted. `arms` is a constant in most calls. */
WIDE void play_one(size_t arms, const device_plan *p, const device_competitor *c, const play_run *r,
                   const volatile uint32_t *halt) {
    const play_cells *s = &r->cells;
    const size_t learners = (size_t)c->learners, own_plays = (learners + 1) * words_of(arms);
    estimate belief[DEVICE_ARMS_MOST];
    uint64_t words[DEVICE_ARMS_MOST + 1], spare = 0, spare_noise = 0;
    double normals[DEVICE_ARMS_MOST + 1];
    uint32_t ties_drawn = 0;
    play_notes n;
    n.regret = 0.0;
    n.optimal = n.point = n.watched = n.matching = 0;
    for (size_t i = 0; i < 2 * learners && c->selects; i++) n.ledger[i] = 0.0;
    play_begin(arms, p, c, s, belief);
    for (uint32_t round = 0; round < p->rounds; round++) {
        const bool chooses = c->selects && round >= learners;
        if (round % 1024 == 1023 && *halt != 0) return;
        if (round % 2 == 0)
            draw_block(p->seed, r->run, p->noise_stream, round / 2, &words[0], &spare_noise);
        else
            words[0] = spare_noise;
        int32_t chosen = c->selects ? (int32_t)round : 0;
        if (chooses) {
            uint64_t position = (uint64_t)(round - learners) * arms;
            if (position % 2 == 0)
                next_words(p->seed, r->run, c->selector_stream, position, &spare, arms, false, words + 1);
            else
                next_words(p->seed, r->run, c->selector_stream, position, &spare, arms, true, words + 1);
            make_all_normals(words, arms + 1, true, normals, s->tails);
            chosen = play_choose(arms, p, c, r, belief, normals + 1, &ties_drawn);
        } else
            make_normals(words, 1, true, normals, s->tails);
        if (n.matching < c->matching_count && c->matching[n.matching] == round + 1)
            note_match(arms, p, c, r, n.matching++, chosen);
        uint32_t plays = *word_at(s, own_plays + (size_t)chosen);
        uint32_t arm = play_act(arms, p, c, r, chosen, round, plays);
        size_t cell = (size_t)arm * r->curves.runs + r->place;
        double reward = r->means[cell] + normals[0] * p->noise;
        note_round(p, c, r, round, chosen, plays + 1, r->gaps[cell], &n);
        play_learn(arms, p, c, s, chosen, arm, reward, belief);
    }
    note_end(arms, p, c, r, &n);
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * One run of one competitor, as a thread of a GPU plays it. The operations of a run, their order, its streams and its
 * ties are those of learner/, belief/ and selector/bms.c, so that it has the same bits. Compiled for a processor, the
 * same source plays a run at a time (tests/support/device_on_host.c).
 *
 * Define LANES as 1 before including.
 */
#ifndef POSSE_ABREAST_DEVICE_PLAY_H
#define POSSE_ABREAST_DEVICE_PLAY_H

#include "abreast/device/notes.h"

#include "numeric/elementary_wide.h"
#include "random/philox_wide.h"

/* Loops over arms, whose number is a constant: their numbers stay in registers. */
#if defined(__CUDACC__)
#define UNROLLED _Pragma("unroll")
#define UNROLLED_SOME _Pragma("unroll 3")
#define NOT_UNROLLED _Pragma("unroll 1")
#else
#define NOT_UNROLLED
#define UNROLLED
#define UNROLLED_SOME
#endif

#define NORMALS_MOST 8    /* normals that are made together */
#define TAILS_GATHERED 64 /* places for the tails of a warp: of 8 normals in 32 threads, 39 are expected */

/*
 * What a competitor is like. Where this is a constant, the compiler leaves out what does not concern it. arms: of the
 * plan; selects, bayes, ucb: of the competitor (some_bayes, some_ucb).
 */
typedef struct play_shape {
    size_t arms;
    bool selects, bayes, ucb;
    bool near; /* the pairs of UCB's table are in faster memory */
} play_shape;

/*
 * What a run remembers. A number of cells belongs to each run; those of neighbouring runs are side by side.
 *     sums     of the belief, arm by arm; then of each mind
 *     counts   two arms to a word: the plays of each learner; then of all. Then a word for each learner, its plays
 *     noise    of the next rounds, without a selector
 */
typedef struct play_cells {
    double *sums, *noise;
    uint32_t *counts;
    size_t stride;
    double *tails;      /* places that the threads of a warp share */
    const double *near; /* the pairs of UCB's table, in faster memory */
} play_cells;

/* One run: where its numbers are, and where they go. */
typedef struct play_run {
    noted_run of;
    const double *means; /* of all runs, a row for each arm */
    double best;         /* the largest of this run */
    play_cells cells;
} play_run;

WIDE size_t words_of(size_t arms) {
    return (arms + 1) / 2;
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
WIDE void draw_block(const device_plan *p, uint32_t run, uint64_t stream, uint64_t block, uint64_t *even,
                     uint64_t *odd) {
    counter c = counter_of(run, stream, block);
    UNROLLED
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        const wide_word keys[2] = {p->keys[round], p->keys[round] >> 32};
        philox_round(&c, keys);
    }
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
 * Makes normals in the tails. A tail takes several times as long as the centre, and nearly every warp has one in each
 * of its normals. So the tails of a warp are gathered and made side by side.
 */
#if defined(__CUDA_ARCH__)
/* Makes the tails from the first-th on, as many as there are places. at: the number of each tail; that of others is -1.
 */
WIDE void gather_tails(const double *q, size_t count, const unsigned *at, unsigned first, unsigned found, double *out,
                       double *tails) {
    UNROLLED
    for (size_t i = 0; i < count; i++)
        if (at[i] - first < TAILS_GATHERED) tails[at[i] - first] = q[i];
    __syncwarp();
    for (unsigned i = threadIdx.x % 32; i < TAILS_GATHERED && first + i < found; i += 32)
        tails[i] = normal_of_tail(tails[i]);
    __syncwarp();
    UNROLLED
    for (size_t i = 0; i < count; i++)
        if (at[i] - first < TAILS_GATHERED) out[i] = tails[at[i] - first];
    __syncwarp();
}

WIDE void make_tails(const double *q, size_t count, bool wanted, double *out, double *tails) {
    const unsigned all = 0xffffffff, before = (1u << threadIdx.x % 32) - 1;
    unsigned found = 0, at[NORMALS_MOST];
    UNROLLED
    for (size_t i = 0; i < count; i++) {
        bool tail = wanted && is_tail(q[i]);
        unsigned mask = __ballot_sync(all, tail);
        at[i] = tail ? found + __popc(mask & before) : all;
        found += __popc(mask);
    }
    gather_tails(q, count, at, 0, found, out, tails);
    for (unsigned first = TAILS_GATHERED; first < found; first += TAILS_GATHERED) /* hardly ever */
        gather_tails(q, count, at, first, found, out, tails);
}
#else
WIDE void make_tails(const double *q, size_t count, bool wanted, double *out, double *tails) {
    (void)tails;
    for (size_t i = 0; i < count && wanted; i++)
        if (is_tail(q[i])) out[i] = normal_of_tail(q[i]);
}
#endif

/* Normals from words, NORMALS_MOST of them at most. */
WIDE void make_normals(const uint64_t *words, size_t count, bool wanted, double *out, double *tails) {
    double q[NORMALS_MOST];
    UNROLLED
    for (size_t i = 0; i < count; i++) q[i] = wide_uniform(words[i]) - 0.5;
    UNROLLED
    for (size_t i = 0; i < count; i++) out[i] = wide_normal_centre(q[i]);
    make_tails(q, count, wanted, out, tails);
}

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

/*
 * The next draws of a stream whose position is the same in all runs. A draw that is left of the last block is kept for
 * the next call. odd: whether there is such a draw.
 */
WIDE void next_words(const device_plan *p, uint32_t run, uint64_t stream, uint64_t position, uint64_t *spare,
                     size_t count, bool odd, uint64_t *words) {
    if (odd) words[0] = *spare;
    UNROLLED
    for (size_t i = odd; i < count; i += 2) {
        uint64_t second;
        draw_block(p, run, stream, (position + i) / 2, &words[i], &second);
        if (i + 1 < count)
            words[i + 1] = second;
        else
            *spare = second;
    }
}

/* Whether this is so in some thread of the warp. */
WIDE bool in_some_thread(bool here) {
#if defined(__CUDA_ARCH__)
    return __any_sync(0xffffffff, here);
#else
    return here;
#endif
}

/* Draws of a stream that has its own position in each run. Some are made before they are needed. */
typedef struct play_queue {
    uint64_t words[3];
    uint32_t ready; /* words */
    uint32_t block; /* of the stream: the next one */
} play_queue;

/* Makes two words, if there is room for them. */
WIDE void queue_fill(const device_plan *p, uint32_t run, uint64_t stream, play_queue *q) {
    const bool none = q->ready == 0;
    uint64_t even, odd;
    draw_block(p, run, stream, q->block, &even, &odd);
    if (q->ready > 1) return;
    q->words[0] = none ? even : q->words[0];
    q->words[1] = none ? odd : even;
    q->words[2] = odd;
    q->ready += 2;
    q->block += 1;
}

WIDE uint64_t queue_take(play_queue *q) {
    const uint64_t word = q->words[0];
    q->words[0] = q->words[1];
    q->words[1] = q->words[2];
    q->ready -= 1;
    return word;
}

/* The index of posse_draw_index (random/index.c) for a word, or *again: it takes another word. count: below 2^16. */
WIDE uint32_t index_of(uint64_t word, uint32_t count, bool *again) {
    const uint64_t lower = wide_multiply_low(word, count);
    const uint64_t upper = wide_multiply_low(word >> 32, count) + (lower >> 32), low = upper << 32 | (uint32_t)lower;
    *again = false;
    if (low < count) {                             /* hardly ever */
        const uint32_t rest = (0 - count) % count; /* of 2^32 */
        *again = low < rest * rest % count;
    }
    return (uint32_t)(upper >> 32);
}

/* ------------------------------------------------- statistics --------------------------------------------------- */

/* sum / n, where inverse is 1 / n, correctly rounded (see wide_divide; device.c rules out extreme sums). */
WIDE double quotient(double sum, uint32_t n, double inverse) {
#if defined(__CUDA_ARCH__)
    double near = sum * inverse;
    return __fma_rn(__fma_rn(-near, (double)n, sum), inverse, near);
#else
    (void)inverse;
    return sum / (double)n;
#endif
}

typedef struct estimate {
    double mean, spread;
} estimate;

#define INFINITE 0x7ff0000000000000 /* the bits of infinity */

/* What a rule makes of n rewards of an arm. pair: its pair for n. With UCB, arms without rewards come first. */
WIDE estimate estimate_by(const double *pair, const double *numbers, const device_rule *r, bool bayes, size_t arm,
                          uint32_t n, double sum) {
#if defined(__CUDA_ARCH__)
    const double2 both = *(const double2 *)pair;
    const double factor = both.x, spread = both.y;
#else
    const double factor = pair[0], spread = pair[1];
#endif
    estimate e = {bayes ? sum * factor : quotient(sum, n, factor), spread};
    if (n == 0) e.mean = bayes ? numbers[r->means + arm] : wide_from_bits(INFINITE);
    return e;
}

WIDE const double *pair_of(const double *numbers, const device_rule *r, size_t arm, uint32_t n) {
    return numbers + r->spread + arm * r->step + 2 * (size_t)n;
}

WIDE estimate estimate_of(const double *numbers, const device_rule *r, bool bayes, size_t arm, uint32_t n, double sum) {
    return estimate_by(pair_of(numbers, r, arm, n), numbers, r, bayes, arm, n, sum);
}

/* --------------------------------------------------- choosing --------------------------------------------------- */

/* sum + n * gap, with both operations rounded. On a GPU n is left in the form n + 2^52, and far is 2^52 gap. */
WIDE double charge_more(double sum, uint32_t n, double gap, double far) {
#if defined(__CUDA_ARCH__)
    return sum + __fma_rn(wide_from_bits(0x4330000000000000 | n), gap, -far);
#else
    (void)far;
    return sum + whole(n) * gap;
#endif
}

/* A set of learners. */
typedef uint32_t play_set;

WIDE uint32_t count_bits(play_set bits) {
#if defined(__CUDA_ARCH__)
    return (uint32_t)__popc(bits);
#else
    return (uint32_t)__builtin_popcount(bits);
#endif
}

WIDE int32_t first_bit(play_set bits) {
#if defined(__CUDA_ARCH__)
    return __ffs((int)bits) - 1;
#else
    return __builtin_ctz(bits);
#endif
}

/* The learners that are charged least. gap: of each arm, in the world that was drawn. */
WIDE play_set play_charge_learners(play_shape k, const device_plan *p, const device_competitor *c, const play_cells *s,
                                   const double *gap, bool patient) {
    const uint32_t words = (uint32_t)words_of(k.arms), learners = (uint32_t)c->learners;
    double far[DEVICE_ARMS_MOST], least = __builtin_inf();
    play_set tied = 0;
    UNROLLED
    for (size_t a = 0; a < k.arms; a++) far[a] = 0x1p52 * gap[a];
    UNROLLED_SOME
    for (uint32_t i = 0; i < learners; i++) {
        double sum = 0.0;
        UNROLLED
        for (uint32_t w = 0; w < words; w++) {
            uint32_t pair = *word_at(s, i * words + w);
            sum = charge_more(sum, pair & 0xffff, gap[2 * w], far[2 * w]);
            if (2 * w + 1 < k.arms) sum = charge_more(sum, pair >> 16, gap[2 * w + 1], far[2 * w + 1]);
        }
        if (patient) sum = sum * p->numbers[c->charged + *word_at(s, (learners + 1) * words + i)];
        tied = (sum < least ? 0 : tied) | (sum <= least ? (play_set)1 << i : 0);
        least = wide_smaller(sum, least);
    }
    return tied;
}

/*
 * One of several learners. In a warp of 32 runs some run has a tie in nearly every round, so that a draw for each tie
 * would take the time of one in every run. Therefore all threads with room for draws make some when one has none left.
 */
WIDE play_set break_tie(const device_plan *p, uint32_t run, uint64_t stream, play_set tied, play_queue *q) {
    bool again = (tied & (tied - 1)) != 0;
    uint32_t rank = 0;
    if (in_some_thread(again && q->ready == 0)) queue_fill(p, run, stream, q);
    if (again) rank = index_of(queue_take(q), count_bits(tied), &again);
    while (in_some_thread(again)) { /* hardly ever */
        if (q->ready == 0) queue_fill(p, run, stream, q);
        if (again) rank = index_of(queue_take(q), count_bits(tied), &again);
    }
    NOT_UNROLLED
    for (; rank > 0; rank--) tied &= tied - 1;
    return tied;
}

/* Draws a world, charges the learners as charge_gaps does, and chooses one of those charged least as bms.c does. */
WIDE int32_t play_choose(play_shape k, const device_plan *p, const device_competitor *c, const play_run *r,
                         const estimate *belief, const double *normals, play_queue *ties) {
    double gap[DEVICE_ARMS_MOST], best = 0.0;
    UNROLLED
    for (size_t a = 0; a < k.arms; a++) {
        gap[a] = belief[a].mean + belief[a].spread * normals[a];
        best = a == 0 ? gap[a] : wide_larger(gap[a], best);
    }
    UNROLLED
    for (size_t a = 0; a < k.arms; a++) gap[a] = best - gap[a];
    play_set tied = c->patient ? play_charge_learners(k, p, c, &r->cells, gap, true)
                               : play_charge_learners(k, p, c, &r->cells, gap, false);
    return first_bit(break_tie(p, r->of.run, c->ties_stream, tied, ties));
}

/* The normals of a learner that draws a world. Its stream has a position of its own in each run. */
WIDE void draw_world(play_shape k, const device_plan *p, const device_rule *rule, const play_run *r, uint32_t plays,
                     bool wanted, double *normals) {
    uint64_t drawn[DEVICE_ARMS_MOST + 2];
    const uint64_t position = (uint64_t)plays * k.arms;
    const bool odd = position % 2 == 1; /* only if the number of arms is odd */
    UNROLLED
    for (size_t i = 0; i < k.arms + k.arms % 2; i += 2)
        draw_block(p, r->of.run, rule->stream, position / 2 + i / 2, &drawn[i], &drawn[i + 1]);
    UNROLLED
    for (size_t i = 0; i < k.arms && k.arms % 2 == 1; i++) drawn[i] = odd ? drawn[i + 1] : drawn[i];
    make_all_normals(drawn, k.arms, wanted, normals, r->cells.tails);
}

/* The arm of a learner: the largest mean + spread * factor, the first among equals. */
WIDE uint32_t play_act(play_shape k, const device_plan *p, const device_competitor *c, const play_run *r,
                       int32_t chosen, uint32_t round, uint32_t plays) {
    const play_cells *s = &r->cells;
    const device_rule *rule = &c->rules[chosen];
    const size_t words = words_of(k.arms), record = (c->share ? (size_t)c->learners : (size_t)chosen) * words,
                 sums = (size_t)(k.selects + (c->share ? c->mind[chosen] : chosen)) * k.arms;
    const bool bayes = k.bayes && (!k.ucb || rule->kind == DEVICE_BAYES);
    double normals[DEVICE_ARMS_MOST], factor = 0.0, top = 0.0;
    uint32_t arm = 0;
    if (k.bayes) draw_world(k, p, rule, r, plays, bayes, normals);
    if (k.ucb && rule->kind == DEVICE_FIXED) return (uint32_t)rule->arm;
    if (k.ucb && !bayes) factor = p->numbers[rule->radii + (c->share ? round : plays)];
    UNROLLED
    for (size_t a = 0; a < k.arms; a++) {
        uint32_t n = count_at(s, record, a);
        double sum = *sum_at(s, sums + a);
        const double *pair = k.near ? s->near + 2 * (size_t)n : pair_of(p->numbers, rule, a, n);
        estimate e = estimate_by(pair, p->numbers, rule, bayes, a, n, sum);
        double index = e.mean + e.spread * (bayes ? normals[a] : factor);
        arm = a > 0 && index > top ? (uint32_t)a : arm;
        top = a == 0 ? index : wide_larger(index, top);
    }
    return arm;
}

/* --------------------------------------------------- recording -------------------------------------------------- */

typedef struct play_notes {
    notes of;
    uint32_t matching, next_matching; /* the round, counted from 1; 0: there is none */
    double *ledger; /* of each learner: the regret of its plays, the coefficient squared. It is indexed at run time,
                       and apart, so that all else stays in registers */
} play_notes;

WIDE void note_begin(play_shape k, const device_plan *p, const device_competitor *c, double *ledger, play_notes *n) {
    notes_begin(p, &n->of);
    n->ledger = ledger;
    n->matching = 0;
    n->next_matching = next_of(c->matching, 0, c->matching_count);
    for (size_t i = 0; i < 2 * (size_t)c->learners && k.selects; i++) n->ledger[i] = 0.0;
}

/* Before a choice counts: the regret of the plays of each learner in the true world. */
WIDE void note_match(play_shape k, const device_plan *p, const device_competitor *c, const play_run *r, int32_t chosen,
                     play_notes *n) {
    const play_cells *s = &r->cells;
    const size_t words = words_of(k.arms), learners = (size_t)c->learners;
    double *to = r->of.slip + slip_match(p, c, n->matching);
    n->next_matching = next_of(c->matching, ++n->matching, c->matching_count);
    if (!r->of.counts) return;
    *to++ = (double)p->places[c->places + (uint32_t)chosen];
    for (size_t i = 0; i < learners; i++) {
        double sum = 0.0;
        for (size_t a = 0; a < k.arms; a++)
            sum = sum + whole(count_at(s, i * words, a)) * (r->best - r->means[a * r->of.curves.runs + r->of.place]);
        *to++ = sum;
        *to++ = whole(*word_at(s, (learners + 1) * words + i));
    }
}

/* The regret of a learner's plays, and the square of its coefficient. */
typedef struct play_account {
    double regret, square;
} play_account;

/* plays: of the learner, this one included. before: its account, which is fetched early because it comes late. */
WIDE void note_round(play_shape k, const device_plan *p, const device_competitor *c, const play_run *r, uint32_t round,
                     int32_t chosen, uint32_t plays, play_account before, double regret, play_notes *n) {
    notes_take(p, &r->of, round, k.selects ? p->places + c->places : NULL, chosen, regret, &n->of);
    if (!k.selects) return;
    double sum = before.regret + regret;
    n->ledger[2 * chosen] = sum;
    if (sum * sum > before.square * whole(plays)) n->ledger[2 * chosen + 1] = wide_divide(sum * sum, whole(plays));
}

WIDE void note_end(play_shape k, const device_plan *p, const device_competitor *c, const play_run *r,
                   const play_notes *n) {
    const size_t learners = (size_t)c->learners, plays = (learners + 1) * words_of(k.arms);
    double *of_learners = r->of.slip + SLIP_WATCHED + p->watched_count;
    if (!r->of.counts) return;
    notes_end(&r->of, &n->of);
    for (size_t i = 0; i < learners && k.selects; i++) {
        of_learners[i] = whole(*word_at(&r->cells, plays + i));
        of_learners[learners + i] = n->ledger[2 * i];
        of_learners[2 * learners + i] = n->ledger[2 * i + 1];
    }
    if (k.selects) of_learners[3 * learners] = wide_from_bits(0x7ff8000000000000);
}

/* ---------------------------------------------------- playing --------------------------------------------------- */

WIDE void play_begin(play_shape k, const device_plan *p, const device_competitor *c, const play_cells *s,
                     estimate *belief) {
    UNROLLED
    for (size_t a = 0; a < k.arms; a++) {
        if (!k.selects) break;
        *sum_at(s, a) = p->numbers[c->belief.sums + a];
        belief[a] = estimate_of(p->numbers, &c->belief, true, a, 0, 0.0);
    }
    for (size_t i = 0; i < (size_t)c->minds; i++)
        for (size_t a = 0; a < k.arms; a++)
            *sum_at(s, (k.selects + i) * k.arms + a) = p->numbers[c->rules[c->minded[i]].sums + a];
    for (size_t i = 0; i < play_counts(k.arms, c); i++) *word_at(s, i) = 0;
}

WIDE void play_learn(play_shape k, const device_plan *p, const device_competitor *c, const play_cells *s,
                     int32_t chosen, uint32_t arm, double reward, estimate *belief) {
    const size_t words = words_of(k.arms), learners = (size_t)c->learners;
    count_up(s, (size_t)chosen * words, arm);
    *word_at(s, (learners + 1) * words + (size_t)chosen) += 1;
    if (c->share)
        for (size_t i = 0; i < (size_t)c->minds; i++)
            *sum_at(s, (k.selects + i) * k.arms + arm) += c->rules[c->minded[i]].weight * reward;
    else
        *sum_at(s, (size_t)(k.selects + chosen) * k.arms + arm) += c->rules[chosen].weight * reward;
    if (!k.selects) return;
    count_up(s, learners * words, arm);
    double sum = *sum_at(s, arm) += c->belief.weight * reward;
    estimate e = estimate_of(p->numbers, &c->belief, true, arm, count_at(s, learners * words, arm), sum);
    UNROLLED
    for (size_t a = 0; a < k.arms; a++) {
        belief[a].mean = a == arm ? e.mean : belief[a].mean;
        belief[a].spread = a == arm ? e.spread : belief[a].spread;
    }
}

/* Without a selector, the noise of NORMALS_MOST rounds is made at a time. */
WIDE double solo_noise(const device_plan *p, const play_run *r, uint32_t round) {
    const play_cells *s = &r->cells;
    if (round % NORMALS_MOST == 0) {
        uint64_t words[NORMALS_MOST];
        double normals[NORMALS_MOST];
        UNROLLED
        for (uint32_t i = 0; i < NORMALS_MOST; i += 2)
            draw_block(p, r->of.run, p->noise_stream, (round + i) / 2, &words[i], &words[i + 1]);
        make_normals(words, NORMALS_MOST, true, normals, s->tails);
        UNROLLED
        for (uint32_t i = 0; i < NORMALS_MOST; i++) s->noise[i * s->stride] = normals[i];
    }
    return s->noise[round % NORMALS_MOST * s->stride];
}

/* The draws of a selector that have been made and not been used. */
typedef struct play_spare {
    uint64_t world, noise;
    play_queue ties;
} play_spare;

/* Chooses a learner, and makes the noise of the round. In the first rounds each learner plays in its turn. */
WIDE int32_t team_choose(play_shape k, const device_plan *p, const device_competitor *c, const play_run *r,
                         uint32_t round, const estimate *belief, play_spare *spare, double *noise) {
    const uint32_t learners = (uint32_t)c->learners;
    uint64_t words[DEVICE_ARMS_MOST + 1] = {0};
    double normals[DEVICE_ARMS_MOST + 1];
    if (round % 2 == 0)
        draw_block(p, r->of.run, p->noise_stream, round / 2, &words[0], &spare->noise);
    else
        words[0] = spare->noise;
    if (round >= learners) {
        uint64_t position = (uint64_t)(round - learners) * k.arms;
        if (position % 2 == 0)
            next_words(p, r->of.run, c->selector_stream, position, &spare->world, k.arms, false, words + 1);
        else
            next_words(p, r->of.run, c->selector_stream, position, &spare->world, k.arms, true, words + 1);
    }
    make_all_normals(words, k.arms + 1, true, normals, r->cells.tails);
    *noise = normals[0];
    return round < learners ? (int32_t)round : play_choose(k, p, c, r, belief, normals + 1, &spare->ties);
}

/* Plays a run, unless it is halted. */
WIDE void play_one(play_shape k, const device_plan *p, const device_competitor *c, const play_run *r,
                   const volatile uint32_t *halt) {
    const play_cells *s = &r->cells;
    const size_t own_plays = (size_t)(c->learners + 1) * words_of(k.arms);
    estimate belief[DEVICE_ARMS_MOST];
    play_spare spare = {0, 0, {{0, 0, 0}, 0, 0}};
    double ledger[2 * DEVICE_LEARNERS_MOST];
    play_notes n;
    note_begin(k, p, c, ledger, &n);
    play_begin(k, p, c, s, belief);
    double means[DEVICE_ARMS_MOST];
    UNROLLED
    for (size_t a = 0; a < k.arms; a++) means[a] = r->means[a * r->of.curves.runs + r->of.place];
    for (uint32_t round = 0; round < p->rounds; round++) {
        double noise;
        int32_t chosen = 0;
        if (round % 1024 == 1023 && *halt != 0) return;
        if (k.selects)
            chosen = team_choose(k, p, c, r, round, belief, &spare, &noise);
        else
            noise = solo_noise(p, r, round);
        if (k.selects && n.next_matching == round + 1) note_match(k, p, c, r, chosen, &n);
        play_account account = {0.0, 0.0};
        if (k.selects) account.regret = n.ledger[2 * chosen], account.square = n.ledger[2 * chosen + 1];
        uint32_t plays = k.selects ? *word_at(s, own_plays + (size_t)chosen) : round;
        uint32_t arm = play_act(k, p, c, r, chosen, round, plays);
        double mean = means[0];
        UNROLLED
        for (uint32_t a = 1; a < k.arms; a++) mean = a == arm ? means[a] : mean;
        double reward = mean + noise * p->noise;
        note_round(k, p, c, r, round, chosen, plays + 1, account, r->best - mean, &n);
        play_learn(k, p, c, s, chosen, arm, reward, belief);
    }
    note_end(k, p, c, r, &n);
}

#endif

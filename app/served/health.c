/* SPDX-License-Identifier: MIT */
#include "served/health.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define QUIET_SECONDS 600.0 /* without a reward */
#define GAPS_MIN 20         /* gaps between rewards before they are known */
#define UNREWARDED 5000     /* decisions, since the start of the server, of which none has a reward */
#define BLOCK 500           /* of two blocks, one is full and one is being filled */
#define SHARE_WINDOW 1000   /* decisions */
#define SHARE_WINDOWS 8     /* that the usual share needs, and over which it is smoothed */
#define SHARE_USUAL 0.5
#define SHARE_GONE 0.05
#define LEARNERS_MAX 64 /* whose shares are watched */
#define SMALL 0.001     /* a propensity */
#define SMALL_SHARE 0.01
#define REFUSED_MIN 5
#define REFUSED_SHARE 0.01
#define JOINED 64       /* the latest arms that joined */
#define JOINED_AGE 1000 /* names in requests since an arm joined */

const char *const health_alarm_names[ALARMS] = {
    [ALARM_REWARDS] = "rewards-stopped",         [ALARM_SHARE] = "share-collapsed", [ALARM_SURPRISE] = "surprise",
    [ALARM_PROPENSITIES] = "propensities-small", [ALARM_ARMS] = "arms-named-once",  [ALARM_REFUSED] = "rewards-refused",
};

/* How many of the latest 500 to 999 had a property. */
typedef struct recent {
    uint32_t all[2], some[2]; /* of the block that is being filled, and of the one before */
} recent;

/* The shares of the learners. */
typedef struct shares {
    int count;
    uint64_t began, windows; /* decisions at the start of this window; windows so far */
    bool collapsed;
    uint64_t plays[LEARNERS_MAX]; /* at the start of this window */
    double usual[LEARNERS_MAX];
} shares;

typedef struct joined {
    int arm;
    bool again;     /* a later request has named it */
    uint64_t names; /* in requests when it joined */
} joined;

typedef struct health {
    /* The first decision: decisions before it, and the time. 0: there is none so far. */
    uint64_t first_decides;
    double first_at;
    /* Rewards that clients have sent: */
    uint64_t last_decides; /* decisions when the latest came, and the time; 0: none has come */
    double last_at;
    uint64_t gaps, longest; /* between two of them; decisions in the longest that raised no alarm */
    recent sent;            /* rewards, and those that were refused */
    recent propensities;    /* those that are known, and small ones */
    shares *shares;         /* NULL: not looked at so far */
    joined *joined;         /* a ring; NULL: none has joined */
    uint64_t joined_count, names;
} health;

health *health_make(void) {
    return calloc(1, sizeof(health));
}

void health_free(health *h) {
    if (h == NULL) return;
    free(h->shares);
    free(h->joined);
    free(h);
}

/* ----------------------------------------------------- counting -------------------------------------------------- */

static void recent_add(recent *r, bool some) {
    if (r->all[0] == BLOCK) {
        r->all[1] = r->all[0];
        r->some[1] = r->some[0];
        r->all[0] = r->some[0] = 0;
    }
    r->all[0]++;
    r->some[0] += some;
}

static double recent_all(const recent *r) {
    return (double)r->all[0] + r->all[1];
}

static double recent_some(const recent *r) {
    return (double)r->some[0] + r->some[1];
}

/*
 * Far more decisions since the latest reward than ever between two of them. Of gaps at random, the next is more than
 * four times the longest of n with probability 4! n! / (n + 4)!. Summed from n = 20 on, that is 0.00075: so often, such
 * a posse ever raises a false alarm.
 */
static bool rewards_stopped(const health *h, uint64_t decides, double now) {
    if (h->gaps < GAPS_MIN || now - h->last_at < QUIET_SECONDS || decides < h->last_decides) return false;
    return decides - h->last_decides > 100 + 4 * h->longest;
}

/*
 * No reward has come since the start of the server, so no gap is known. If one decision in 500 gets a reward, at
 * random, none of 5000 does with probability 0.00005.
 */
static bool rewards_never_came(const health *h, uint64_t decides, double now) {
    if (h->last_at > 0.0 || h->first_at == 0.0 || now - h->first_at < QUIET_SECONDS) return false;
    return decides > h->first_decides && decides - h->first_decides > UNREWARDED;
}

static void note_reward(health *h, uint64_t decides, double now) {
    bool first = h->last_at == 0.0;
    uint64_t gap = decides > h->last_decides ? decides - h->last_decides : 0;
    recent_add(&h->sent, false);
    if (!first && gap > 0 && !rewards_stopped(h, decides, now)) { /* rewards of one request are no gaps */
        h->gaps++;
        if (gap > h->longest) h->longest = gap;
    }
    h->last_decides = decides;
    h->last_at = now;
}

/* ------------------------------------------------------ shares --------------------------------------------------- */

static void shares_begin(shares *s, const uint64_t *plays, int count, uint64_t decides) {
    memset(s, 0, sizeof *s);
    s->count = count;
    s->began = decides;
    memcpy(s->plays, plays, (size_t)count * sizeof *plays);
}

/* A window is over. If learners were added, or plays count from 0 again, everything begins anew. */
static void shares_end_window(shares *s, const posse *p, const uint64_t *plays, int count, uint64_t decides) {
    bool same = count == s->count;
    for (int i = 0; same && i < count; i++) same = plays[i] >= s->plays[i];
    if (!same) {
        shares_begin(s, plays, count, decides);
        return;
    }
    s->collapsed = false;
    for (int i = 0; i < count; i++) {
        double share = (double)(plays[i] - s->plays[i]) / (double)(decides - s->began);
        bool usual = s->windows >= SHARE_WINDOWS && s->usual[i] >= SHARE_USUAL && posse_learner_active(p, i);
        s->collapsed = s->collapsed || (usual && share <= SHARE_GONE);
        double windows = s->windows < SHARE_WINDOWS ? (double)s->windows + 1.0 : SHARE_WINDOWS;
        s->usual[i] += (share - s->usual[i]) / windows;
        s->plays[i] = plays[i];
    }
    s->began = decides;
    s->windows++;
}

static void note_share(health *h, const posse *p, uint64_t decides) {
    if (h->shares != NULL && decides >= h->shares->began && decides - h->shares->began < SHARE_WINDOW) return;
    int count = posse_learner_count(p);
    if (count > LEARNERS_MAX) return;
    uint64_t plays[LEARNERS_MAX];
    if (posse_plays(p, plays) != POSSE_OK) return;
    if (h->shares == NULL) {
        h->shares = malloc(sizeof *h->shares);
        if (h->shares != NULL) shares_begin(h->shares, plays, count, decides);
    } else
        shares_end_window(h->shares, p, plays, count, decides);
}

/* ---------------------------------------------------- what happens ------------------------------------------------ */

void health_note(const served *p, const record *r, double now) {
    health *h = p->health;
    if (h == NULL) return;
    uint64_t decides = posse_decision_count(p->posse);
    if (r->kind == RECORD_LEARN) note_reward(h, decides, now);
    if (r->kind != RECORD_DECIDE) return;
    if (h->first_at == 0.0) {
        h->first_decides = decides - 1;
        h->first_at = now;
    }
    if (r->propensity > 0.0) recent_add(&h->propensities, r->propensity < SMALL);
    note_share(h, p->posse, decides);
}

void health_refuse(const served *p) {
    if (p->health != NULL) recent_add(&p->health->sent, true);
}

void health_join(const served *p, int arm) {
    health *h = p->health;
    if (h != NULL && h->joined == NULL) h->joined = calloc(JOINED, sizeof *h->joined);
    if (h == NULL || h->joined == NULL) return;
    h->joined[h->joined_count++ % JOINED] = (joined){.arm = arm, .names = ++h->names};
}

void health_name(const served *p, int arm) {
    health *h = p->health;
    if (h == NULL || h->joined == NULL) return;
    h->names++;
    for (uint64_t i = 0; i < JOINED && i < h->joined_count; i++)
        if (h->joined[i].arm == arm) h->joined[i].again = true;
}

/* ------------------------------------------------------ alarms --------------------------------------------------- */

/* Of the latest arms that joined long enough ago, at least half were not named again, and they are at least half. */
static bool arms_named_once(const health *h) {
    int old = 0, once = 0;
    for (uint64_t i = 0; h->joined != NULL && i < JOINED && i < h->joined_count; i++) {
        bool aged = h->names - h->joined[i].names >= JOINED_AGE;
        old += aged;
        once += aged && !h->joined[i].again;
    }
    return old >= JOINED / 2 && 2 * once >= old;
}

static bool is_surprised(const posse *p) {
    double surprise;
    return posse_surprise(p, &surprise) == POSSE_OK && surprise > posse_surprise_limit(p, 1);
}

unsigned health_alarms(const served *p, double now) {
    const health *h = p->health;
    unsigned raised = is_surprised(p->posse) ? 1u << ALARM_SURPRISE : 0;
    if (h == NULL) return raised;
    const recent *known = &h->propensities, *sent = &h->sent;
    uint64_t decides = posse_decision_count(p->posse);
    if (rewards_stopped(h, decides, now) || rewards_never_came(h, decides, now)) raised |= 1u << ALARM_REWARDS;
    if (h->shares != NULL && h->shares->collapsed) raised |= 1u << ALARM_SHARE;
    if (recent_all(known) >= BLOCK && recent_some(known) > SMALL_SHARE * recent_all(known))
        raised |= 1u << ALARM_PROPENSITIES;
    if (recent_some(sent) >= REFUSED_MIN && recent_some(sent) > REFUSED_SHARE * recent_all(sent))
        raised |= 1u << ALARM_REFUSED;
    if (arms_named_once(h)) raised |= 1u << ALARM_ARMS;
    return raised;
}

void health_list(unsigned raised, const char *names[ALARMS + 1]) {
    int count = 0;
    for (int k = 0; k < ALARMS; k++)
        if (raised >> k & 1) names[count++] = health_alarm_names[k];
    names[count] = NULL;
}

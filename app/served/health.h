/* SPDX-License-Identifier: MIT */
/*
 * The health of a served posse: signs that what surrounds it is broken. Each alarm is raised and cleared by what has
 * happened lately (docs/monitoring.md has the definitions). Nothing here is stored, so counts begin with the server.
 */
#ifndef SERVED_HEALTH_H
#define SERVED_HEALTH_H

#include "served/served.h"

typedef enum health_alarm {
    ALARM_REWARDS,      /* decisions are made, and rewards stopped coming */
    ALARM_SHARE,        /* the learner that made most decisions makes hardly any */
    ALARM_SURPRISE,     /* the rewards contradict the prior */
    ALARM_PROPENSITIES, /* propensities are too small for an evaluation */
    ALARM_ARMS,         /* arms that joined by their names are not named again */
    ALARM_REFUSED,      /* rewards are refused */
    ALARMS
} health_alarm;

extern const char *const health_alarm_names[ALARMS];

/* NULL: no memory. */
struct health *health_make(void);
void health_free(struct health *h);

/* The alarms of a posse, a bit for each. now: seconds of any clock, as in the calls below. */
unsigned health_alarms(const served *p, double now);

/* Their names, ended by NULL. */
void health_list(unsigned raised, const char *names[ALARMS + 1]);

/* --- what happens; without a `health`, each does nothing --- */

void health_note(const served *p, const record *r, double now);
void health_refuse(const served *p);
void health_join(const served *p, int arm);
void health_name(const served *p, int arm);

#endif

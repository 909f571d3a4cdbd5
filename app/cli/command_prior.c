/* SPDX-License-Identifier: MIT */
/*
 * posse prior fit: fits a prior to a table of past instances or of logged plays, and makes a page that shows both.
 */
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/progress_bar.h"
#include "common/file.h"
#include "common/text.h"
#include "data/decimal.h"
#include "describe/prior_file.h"
#include "posse_kinds.h"
#include "posse_simulate.h"
#include "report/report.h"

enum {
    KEY_KIND = KEY_OWN,
    KEY_COMPONENTS,
    KEY_NOISE,
    KEY_SEED,
    KEY_PLAYS,
    KEY_COLUMNS,
    KEY_PAGE,
    KEY_NO_PAGE,
};

static const struct argp_option options[] = {
    {"output", KEY_OUTPUT, "FILE", 0, "Write the prior to FILE, as YAML, or as JSON if FILE ends in .json", 0},
    {"kind", KEY_KIND, "FORM", 0, "The form of the prior: gaussian, mixture (the default) or particles", 0},
    {"components", KEY_COMPONENTS, "N", 0, "Fit a mixture of N components; by default N is chosen by its predictions",
     0},
    {"noise", KEY_NOISE, "SD", 0,
     "The standard deviation of a reward around its mean (default: 1; with --plays it is estimated)", 0},
    {"plays", KEY_PLAYS, NULL, 0, "FILE has a row for each reward, with columns task, arm and reward", 0},
    {"columns", KEY_COLUMNS, "NAMES", 0, "The names of these three columns, separated by commas", 0},
    {"seed", KEY_SEED, "N", 0, "The seed for the rows held out and for the start of EM (default: 1)", 0},
    {"page", KEY_PAGE, "FILE", 0, "Write the page to FILE (default: beside the prior, ending in .html)", 0},
    {"no-page", KEY_NO_PAGE, NULL, 0, "Write no page", 0},
    OPTION_QUIET,
    {0}};

typedef struct prior_request {
    const char *action, *data, *output, *page;
    bool no_page, quiet;
    posse_fit how;
    char *columns; /* a copy that is cut into names */
    progress_bar bar;
} prior_request;

/* ------------------------------------------------ arguments ---------------------------------------------------- */

static double parse_noise(struct argp_state *state, const char *text) {
    double noise;
    if (decimal_read(text, &noise) != DECIMAL_FINE || !(noise >= 1e-6 && noise <= 1e6))
        argp_error(state, "--noise takes a number from 1e-6 to 1e6, not \"%s\"", text);
    return noise;
}

static void parse_columns(struct argp_state *state, prior_request *r, const char *text) {
    const char **names[] = {&r->how.task, &r->how.arm, &r->how.reward};
    int count = 0;
    free(r->columns);
    r->columns = strdup(text);
    for (char *name = r->columns; name != NULL; count++) {
        char *comma = strchr(name, ',');
        if (comma != NULL) *comma = '\0';
        if (count < 3) *names[count] = name;
        if (*name == '\0') count = 9;
        name = comma != NULL ? comma + 1 : NULL;
    }
    if (count != 3) argp_error(state, "--columns takes three names, TASK,ARM,REWARD, not \"%s\"", text);
}

static void check_request(struct argp_state *state, const prior_request *r) {
    if (r->action == NULL || r->data == NULL) argp_error(state, "`fit` and the FILE with the data are needed");
    if (r->output == NULL) argp_error(state, "-o FILE is needed, for the prior");
    if (strcmp(r->output, r->data) == 0) argp_error(state, "-o names the file with the data itself");
    if (r->columns != NULL && !r->how.plays) argp_error(state, "--columns needs --plays");
    if (r->how.components > 0 && strcmp(r->how.kind, "mixture") != 0)
        argp_error(state, "--components needs --kind mixture");
    if (r->how.plays && strcmp(r->how.kind, "particles") == 0)
        argp_error(state, "--kind particles needs rows of means; with --plays, use gaussian or mixture");
}

static error_t parse_argument(prior_request *r, char *argument, struct argp_state *state) {
    if (r->action == NULL && strcmp(argument, "fit") != 0)
        argp_error(state, "there is no `posse prior %s`; it is `posse prior fit`", argument);
    if (r->action == NULL)
        r->action = argument;
    else if (r->data == NULL)
        r->data = argument;
    else
        argp_error(state, "it takes one FILE with data; \"%s\" is a second one", argument);
    return 0;
}

static void parse_kind(struct argp_state *state, prior_request *r, const char *kind) {
    if (strcmp(kind, "gaussian") != 0 && strcmp(kind, "mixture") != 0 && strcmp(kind, "particles") != 0)
        argp_error(state, "--kind takes gaussian, mixture or particles, not \"%s\"", kind);
    r->how.kind = kind;
}

static error_t prior_parse(int key, char *argument, struct argp_state *state) {
    prior_request *r = state->input;
    switch (key) {
    case KEY_OUTPUT:
        r->output = argument;
        return 0;
    case KEY_KIND:
        parse_kind(state, r, argument);
        return 0;
    case KEY_COMPONENTS:
        r->how.components = (int)options_whole_number(state, "components", argument, 1, 64);
        return 0;
    case KEY_NOISE:
        r->how.noise = parse_noise(state, argument);
        return 0;
    case KEY_SEED:
        r->how.seed = options_whole_number(state, "seed", argument, 0, UINT64_MAX);
        return 0;
    case KEY_PLAYS:
        r->how.plays = true;
        return 0;
    case KEY_COLUMNS:
        parse_columns(state, r, argument);
        return 0;
    case KEY_PAGE:
        r->page = argument;
        return 0;
    case KEY_NO_PAGE:
        r->no_page = true;
        return 0;
    case KEY_QUIET:
        r->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        return parse_argument(r, argument, state);
    case ARGP_KEY_END:
        check_request(state, r);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* -------------------------------------------------- the prior -------------------------------------------------- */

static int complain_of_file(const char *path) {
    fprintf(stderr, "posse prior: %s: cannot be written: %s\n", path, strerror(errno));
    return EXIT_UNFINISHED;
}

/* The length of a path without this ending, or 0 if it has another. */
static size_t length_before(const char *path, const char *ending) {
    size_t length = strlen(path), last = strlen(ending);
    return length > last && strcmp(path + length - last, ending) == 0 ? length - last : 0;
}

/* JSON is for programs in C (posse_prior_read_text). False: there is no memory; the stream has other errors. */
static bool write_json(FILE *out, const posse_prior *prior) {
    size_t length = posse_prior_text(prior, NULL, 0);
    char *text = malloc(length + 1);
    if (text == NULL) return false;
    posse_prior_text(prior, text, length + 1);
    fwrite(text, 1, length, out);
    free(text);
    return true;
}

static int write_prior(const posse_prior *prior, const prior_request *r) {
    file_draft d;
    bool fine = true;
    if (!file_draft_open(&d, r->output)) return complain_of_file(r->output);
    if (length_before(r->output, ".json") > 0)
        fine = write_json(d.stream, prior);
    else
        prior_file_write(d.stream, prior, r->how.noise > 0.0);
    if (file_draft_finish(&d, fine)) return EXIT_DONE;
    return fine ? complain_of_file(r->output) : command_lacks_memory("prior");
}

/* What the prior is, in a sentence that has to be freed. */
static char *facts_of(const posse_prior *prior, const posse_fit_record *r) {
    const char *kind = posse_prior_part(prior)->kind;
    char *what = strcmp(kind, "particles") == 0 ? text_format("particles with a kernel of %.3g", r->size)
                 : r->size > 1.0                ? text_format("a mixture of %g joint Gaussians", r->size)
                                                : text_format("a joint Gaussian");
    char *source = r->rewards > 0 ? text_format("%llu rewards of %zu tasks", (unsigned long long)r->rewards, r->rows)
                                  : text_format("%zu instances", r->rows);
    char *facts = NULL;
    if (what != NULL && source != NULL)
        facts =
            text_format("%s, %d arms, noise %.4g, fitted to %s", what, posse_prior_arm_count(prior), r->noise, source);
    free(what);
    free(source);
    return facts;
}

static void print_candidates(const posse_fit_record *r, const posse_fit *how, const char *size_name) {
    bool asked = strcmp(how->kind, "mixture") == 0 && how->components == 0;
    if (r->candidate_count == 0) {
        if (asked) printf("  too few rows to hold any out, so one component\n");
        return;
    }
    printf("  %-10s  held out, nats a row\n", size_name);
    for (size_t i = 0; i < r->candidate_count; i++) {
        const posse_fit_candidate *c = &r->candidates[i];
        bool chosen = fabs(c->size - r->size) < 1e-6 * r->size;
        printf("  %-10.3g  %.4f%s\n", c->size, c->score, chosen ? "  chosen" : "");
    }
}

/* --------------------------------------------------- the page -------------------------------------------------- */

#define DRAWS 1000

/* Draws from the prior, as instances of an environment that has this prior. NULL: no memory. */
static double *draw_worlds(const posse_prior *prior, uint64_t seed) {
    size_t arms = (size_t)posse_prior_arm_count(prior);
    posse_part worlds = {.kind = "worlds",
                         .options = {{"arms", (double)arms}, {"prior", .part = posse_prior_part(prior)}}};
    posse_environment *e = NULL;
    double *draws = malloc(DRAWS * arms * sizeof *draws);
    if (draws == NULL || posse_environment_create(&worlds, seed, NULL, &e) != POSSE_OK) {
        free(draws);
        return NULL;
    }
    for (uint32_t i = 0; i < DRAWS; i++) {
        posse_environment_begin(e, i);
        posse_environment_means(e, draws + i * arms);
    }
    posse_environment_free(e);
    return draws;
}

static int make_page(const posse_prior *prior, const posse_fit_record *r, const prior_request *request,
                     const char *facts, const char *path) {
    size_t folder = file_folder(path), count = r->candidate_count;
    char *directory = folder > 0 ? text_format("%.*s", (int)folder - (folder > 1), path) : text_format(".");
    double *draws = draw_worlds(prior, request->how.seed), *sizes = calloc(2 * count + 1, sizeof *sizes);
    int status = EXIT_UNFINISHED;
    if (directory == NULL || draws == NULL || sizes == NULL)
        status = command_lacks_memory("prior");
    else {
        report_prior page = {
            .title = request->output, .facts = facts, .arms = r->names, .draws = draws, .data = r->table};
        page.arm_count = (size_t)posse_prior_arm_count(prior);
        page.data_count = r->rows, page.draw_count = DRAWS, page.noisy = r->rewards > 0;
        page.size_name = strcmp(request->how.kind, "particles") == 0 ? "kernel" : "components";
        page.sizes = sizes, page.scores = sizes + count, page.candidate_count = count;
        for (size_t i = 0; i < count; i++) {
            bool chosen = fabs(r->candidates[i].size - r->size) < 1e-6 * r->size;
            sizes[i] = chosen ? r->size : r->candidates[i].size;
            sizes[count + i] = r->candidates[i].score;
        }
        page.chosen = r->size;
        status =
            report_prior_make(&page, directory, path + folder, stderr) == REPORT_DONE ? EXIT_DONE : EXIT_UNFINISHED;
    }
    free(directory);
    free(draws);
    free(sizes);
    return status;
}

/* The path of the page, beside the prior: prior.yaml has prior.html. To be freed. */
static char *page_path(const prior_request *r) {
    if (r->page != NULL) return text_format("%s", r->page);
    const char *endings[] = {".yaml", ".yml", ".json"};
    for (int i = 0; i < 3; i++) {
        size_t length = length_before(r->output, endings[i]);
        if (length > 0) return text_format("%.*s.html", (int)length, r->output);
    }
    return text_format("%s.html", r->output);
}

/* -------------------------------------------------- the command ------------------------------------------------ */

static void prior_hear(void *context, const posse_place *place, const char *message) {
    char where[200] = "";
    (void)context;
    if (place != NULL) posse_place_text(place, where, sizeof where);
    fprintf(stderr, "%s%s%s\n", where, *where != '\0' ? ": " : "", message);
}

static void show_progress(void *context, double share) {
    prior_request *r = context;
    progress_bar_show(&r->bar, (uint64_t)(1000.0 * share), 1000);
}

static int prior_present(const posse_prior *prior, const prior_request *r) {
    posse_fit_record record;
    posse_prior_record(prior, &record);
    char *facts = facts_of(prior, &record), *path = page_path(r);
    int status = facts != NULL && path != NULL ? write_prior(prior, r) : command_lacks_memory("prior");
    if (status == EXIT_DONE && !r->no_page) status = make_page(prior, &record, r, facts, path);
    if (status == EXIT_DONE) {
        printf("%s: %s\n", r->output, facts);
        print_candidates(&record, &r->how, strcmp(r->how.kind, "particles") == 0 ? "kernel" : "components");
        if (!r->no_page) printf("page: %s\n", path);
    }
    free(facts);
    free(path);
    return status;
}

static int prior_fit_file(prior_request *r) {
    posse_prior *prior;
    posse_host host = {.log = {prior_hear, NULL}};
    r->how.progress = show_progress;
    r->how.context = r;
    progress_bar_open(&r->bar, r->data, r->quiet);
    r->bar.unit = NULL;
    posse_error error = posse_prior_fit(r->data, &r->how, &host, &prior);
    progress_bar_close(&r->bar);
    if (error == POSSE_ERROR_MEMORY) return command_lacks_memory("prior");
    if (error != POSSE_OK) return EXIT_USAGE;
    int status = prior_present(prior, r);
    posse_prior_free(prior);
    return status;
}

int command_prior(int argc, char **argv) {
    static const struct argp argp = {
        .options = options,
        .parser = prior_parse,
        .args_doc = "fit FILE",
        .doc =
            "Fits a prior to past instances. FILE is CSV with a header. It has a row for each instance, and a column for "
            "each arm with the mean reward of that arm. Cells may be empty, except for particles. With --plays, FILE has "
            "a row for each reward of a past task.\v"
            "For example:\n\n"
            "  posse prior fit campaigns.csv -o prior.yaml --noise 0.5\n"
            "  posse prior fit log.csv -o prior.yaml --plays --columns user,offer,revenue\n\n"
            "To use the prior, write `belief: {file: prior.yaml}` in an experiment file, prior={\"file\": "
            "\"prior.yaml\"} in Python, or read a FILE that ends in .json with "
            "posse_prior_read_text in C. The page shows the data beside draws from the "
            "prior.\n\n"
            "By default, the number of components is the one, from 1 to 20, that best predicts rows held out of the fit. "
            "A mixture of one component is a joint Gaussian. Each component is given one row more than its own, as wide "
            "as all data, so that few rows do not make it too certain. The same file and options give the same bytes "
            "everywhere.\n\n"
            "Exit status: 0 if all is done; 2 for wrong usage or a wrong file (nothing was written); 3 if it could not "
            "finish."};
    prior_request r = {.how = posse_default_fit()};
    int status = options_read("posse prior", &argp, argc, argv, &r) == 0 ? prior_fit_file(&r) : EXIT_USAGE;
    free(r.columns);
    return status;
}

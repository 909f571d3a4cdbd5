// The ads of hello.c in C++: a posse that frees itself, and rewards that arrive late.
#include <posse.h>
#include <posse_inside.h>

#include <cstdio>
#include <deque>
#include <memory>
#include <stdexcept>
#include <vector>

using Posse = std::unique_ptr<posse, decltype(&posse_free)>;

static void check(posse_error error) {
    if (error != POSSE_OK) throw std::runtime_error(posse_error_text(error));
}

static Posse make_posse(const std::vector<posse_part> &learners) {
    posse_def def = posse_default_def();
    def.arms = 5;
    def.prior = {.kind = "beta"};  // every click rate is equally likely
    def.learners = learners.data();
    def.learner_count = static_cast<int>(learners.size());
    posse *made = nullptr;
    check(posse_create(&def, &made));
    return Posse(made, posse_free);
}

// A visitor sees an ad: 1 for a click. The click rates are the truth, which nobody knows.
static double show(int ad) {
    static const double click_rates[] = {0.03, 0.05, 0.04, 0.12, 0.02};
    static std::uint32_t chance = 1;
    chance = chance * 1664525u + 1013904223u;
    return chance / 4294967296.0 < click_rates[ad] ? 1.0 : 0.0;
}

int main() {
    const Posse p = make_posse({{.kind = "ucb", .name = "cautious"},
                                {.kind = "ucb", .name = "bold", .options = {{"width", 0.1}}},
                                {.kind = "epsilon-greedy", .name = "dice", .options = {{"epsilon", 0.3}}}});
    struct Visit {
        std::uint64_t id;
        double click;
    };
    std::deque<Visit> on_their_way;
    double clicks = 0;
    for (int visitor = 0; visitor < 10000; visitor++) {
        posse_decision d;
        check(posse_decide(p.get(), NULL, &d));
        on_their_way.push_back({d.id, show(d.arm)});
        clicks += on_their_way.back().click;
        if (on_their_way.size() < 100) continue;  // a click is known a hundred visitors later
        check(posse_learn(p.get(), on_their_way.front().id, on_their_way.front().click));
        on_their_way.pop_front();
    }
    std::printf("%.0f clicks, %zu of the last visits still without an answer\n", clicks, posse_pending_count(p.get()));
}

# SPDX-License-Identifier: MIT
# Short commands for everyday work. Each of them installs what it needs (tools/setup.sh) and calls CMake. With
# NO_INSTALL=1 it lists the missing packages and stops.

BUILD   ?= build
PREFIX  ?= /usr/local
WERROR  ?= ON
JOBS    ?= $(shell nproc)
SECONDS ?= 600
SEED    ?= 1
PROBLEMS ?= 200

cmake = cmake -G Ninja -S . -DPOSSE_WERROR=$(WERROR)

# Each target with a description is a command, not a file.
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*\#\# .*/\1/p' $(firstword $(MAKEFILE_LIST)))

all:            ## install what is missing, and build: build/posse, build/libposse.a, build/libposse.so
	@tools/setup.sh build
	@test -f $(BUILD)/build.ninja || $(cmake) -B $(BUILD)
	@cmake --build $(BUILD)

library:        ## libposse alone, with a C compiler and CMake: build/library/libposse.a, libposse.so
	@tools/setup.sh library
	@cmake -S . -B $(BUILD)/library -DPOSSE_WERROR=$(WERROR) -DPOSSE_PROGRAM=OFF
	@cmake --build $(BUILD)/library --parallel $(JOBS)

python:         ## the Python package: build/python, for PYTHONPATH
	@tools/setup.sh python
	@$(cmake) -B $(BUILD)
	@cmake --build $(BUILD) --target python

paper: all      ## every experiment of the paper, and a report: results/index.html
	@$(BUILD)/posse paper

# Status 1 means that a claim of an experiment does not hold. That is a result, which the page shows.
rivals: all     ## every selector on the paper's experiments, with a comparison: results/rivals/index.html
	@$(BUILD)/posse run --no-plots -o results/rivals experiments/rivals/*.yaml || test $$? -eq 1
	@$(BUILD)/posse report results/rivals

scaling: all    ## regret as learners, arms and rounds grow: results/scaling/index.html
	@$(BUILD)/posse run --no-plots -o results/scaling experiments/scaling/*.yaml || test $$? -eq 1
	@$(BUILD)/posse report --front results/scaling

drift: all      ## means that change, with and without forgetting: results/drift/index.html
	@$(BUILD)/posse run --no-plots -o results/drift experiments/drift/*.yaml || test $$? -eq 1
	@$(BUILD)/posse report results/drift

contextual: all ## rounds with features, B-MS with bounded and with unbounded memory: results/contextual/index.html
	@$(BUILD)/posse run --no-plots -o results/contextual experiments/contextual/*.yaml || test $$? -eq 1
	@$(BUILD)/posse report results/contextual

rl: all         ## decision processes, with policies and Q-learners as learners: results/rl/index.html
	@$(BUILD)/posse run --no-plots -o results/rl experiments/rl/*.yaml || test $$? -eq 1
	@$(BUILD)/posse report results/rl

beliefs: all    ## learned, fitted and approximate priors, and their regret: results/beliefs/index.html
	@tools/setup.sh python
	@cmake --build $(BUILD) --target python bench_coverage
	@$(BUILD)/posse run --no-plots -o results/beliefs experiments/beliefs/*.yaml experiments/priors/*.yaml || test $$? -eq 1
	@/usr/bin/python3 -B experiments/beliefs/coverage.py $(BUILD) results/beliefs
	@PYTHONPATH=$(BUILD)/python /usr/bin/python3 -B experiments/priors/diffusion.py | tee results/beliefs/diffusion.md
	@$(BUILD)/posse report results/beliefs

published:      ## published experiments beside their published regrets: results/published/d3rb.md, showdown.md
	@tools/setup.sh bakeoff
	@$(cmake) -B $(BUILD)
	@cmake --build $(BUILD) --target python
	@mkdir -p results/published
	@PYTHONPATH=$(BUILD)/python /usr/bin/python3 -B experiments/published/d3rb.py | tee results/published/d3rb.md
	@PYTHONPATH=$(BUILD)/python /usr/bin/python3 -B experiments/published/showdown.py | tee results/published/showdown.md

tournament: all ## every selector on PROBLEMS=200 random problems drawn with SEED=1: results/tournament/index.html
	@tools/setup.sh tournament
	@python3 tools/tournament --posse $(BUILD)/posse --seed $(SEED) --problems $(PROBLEMS)

# SMALL=1 plays 500 rows in 3 orders, in a few minutes. VW=PROGRAM also plays Vowpal Wabbit.
bakeoff_rows = $(if $(SMALL),500,$(or $(ROWS),20000))
bakeoff_runs = $(if $(SMALL),3,$(or $(RUNS),10))
bakeoff: all    ## 36 real data sets as bandits, ROWS=20000 at most and RUNS=10 orders of each: results/bakeoff/index.html
	@tools/setup.sh bakeoff
	@$(if $(VW),cmake --build $(BUILD) --target python)
	@PYTHONPATH=$(BUILD)/python /usr/bin/python3 tools/bakeoff --posse $(BUILD)/posse --rows $(bakeoff_rows) --runs $(bakeoff_runs) $(if $(VW),--vw $(VW))

reference:      ## the reference pages of docs/, from the header, the program, openapi.json and the Python package
	@tools/setup.sh python
	@$(cmake) -B $(BUILD)
	@cmake --build $(BUILD) --target posse_program python
	@/usr/bin/python3 -B tools/reference.py $(BUILD)

docs:           ## the documents as a site, for a browser and without a network: build/docs/index.html
	@tools/setup.sh docs
	@/usr/bin/python3 -B -m sphinx -q -E -W --keep-going -c docs/site -d $(BUILD)/doctrees . $(BUILD)/docs
	@echo "$(BUILD)/docs/index.html"

diagrams:       ## draw docs/pictures/*.svg
	@/usr/bin/python3 -B tools/diagrams.py

screenshots:    ## docs/pictures/report.png and board.png, in headless Chromium
	@tools/setup.sh page
	@cmake --build $(BUILD)
	@/usr/bin/python3 -B tools/screenshots.py $(BUILD) $$(command -v chromium)

check:          ## build and run the unit tests alone, in under two minutes: for everyday work
	@tools/setup.sh test
	@$(cmake) -B $(BUILD) -DPOSSE_TESTS=ON
	@cmake --build $(BUILD) --target laws
	@ctest --test-dir $(BUILD) -L unit -j$(JOBS) --output-on-failure --no-label-summary

# Some tests wait for clocks and timeouts of servers. Two more than there are processors keep those busy meanwhile.
test:           ## build and run every test
	@tools/setup.sh test
	@$(cmake) -B $(BUILD) -DPOSSE_TESTS=ON
	@cmake --build $(BUILD) --target all tests
	@ctest --test-dir $(BUILD) -j$$(($(JOBS) + 2)) --output-on-failure --no-label-summary

test-python:    ## the tests of the Python package alone
	@tools/setup.sh test
	@$(cmake) -B $(BUILD) -DPOSSE_TESTS=ON
	@cmake --build $(BUILD) --target python posse_program posse_redis
	@ctest --test-dir $(BUILD) -L python -j$(JOBS) --output-on-failure --no-label-summary

test-page:      ## the report's pages and the server's dashboard in headless Chromium, with screenshots
	@tools/setup.sh page
	@test -f $(BUILD)/build.ninja || $(cmake) -B $(BUILD)
	@cmake --build $(BUILD)
	@EVERY=1 tests/system/pages_work_in_chromium.sh . $(BUILD)
	@tests/system/board_works_in_chromium.sh . $(BUILD)

test-bits:      ## same results for every compiler, level, kernel set, threads, processes, and on aarch64
	@tools/setup.sh cross
	@$(cmake) -B $(BUILD) -DPOSSE_TESTS=ON
	@EVERY=1 tests/system/same_bits.sh . $(BUILD)

test-threads:   ## the thread sanitizer on unit tests and runs; part of `make test`
	@tools/setup.sh test
	@$(cmake) -B $(BUILD) -DPOSSE_TESTS=ON
	@tests/system/threads_keep_apart.sh . $(BUILD)

test-sanitized: ## every unit test under sanitizers, also those that only `make check` runs
	@tools/setup.sh test
	@$(cmake) -B $(BUILD) -DPOSSE_TESTS=ON
	@cmake --build $(BUILD) --target python
	@EVERY=1 tests/system/sanitized_suite_is_clean.sh . $(BUILD)

test-server:    ## the server under sanitizers, with requests, attacks and kills under load
	@tools/setup.sh test
	@$(cmake) -B $(BUILD) -DPOSSE_TESTS=ON
	@cmake --build $(BUILD) --target python
	@tests/system/server_is_clean.sh . $(BUILD)

test-kills:     ## the server, and Redis, killed 200 times under load; `make test` kills 20 times
	@tools/setup.sh test
	@$(cmake) -B $(BUILD) -DPOSSE_TESTS=ON
	@cmake --build $(BUILD) --target python posse_program posse_redis jumping_clock
	@KILLS=200 ctest --test-dir $(BUILD) --verbose -R '^python_(served_crashes|served_large|redis_crashes)$$'

test-logs:      ## coverage of the intervals of off-policy values, on 1000 logs each
	@tools/setup.sh test
	@$(cmake) -B $(BUILD) -DPOSSE_TESTS=ON
	@cmake --build $(BUILD) --target test_values
	@POSSE_LOGS=1000 $(BUILD)/tests/test_values

coverage:       ## lines of the library and of experiments that the unit tests run; fails below 90%
	@tools/setup.sh test
	@$(cmake) -B $(BUILD)/coverage -DPOSSE_TESTS=ON -DPOSSE_COVERAGE=ON -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g"
	@cmake --build $(BUILD)/coverage --target tests
	@find $(BUILD)/coverage -name '*.gcda' -delete
	@ctest --test-dir $(BUILD)/coverage -L unit -j$(JOBS) --output-on-failure --no-label-summary
	@gcovr --root . --filter '(lib|app/(common|describe|experiment))/' --object-directory $(BUILD)/coverage --fail-under-line 90

bench:          ## time of a draw, a round and two threads, beside NumPy, C and Python: bench/*.csv
	@tools/setup.sh bench
	@test -f $(BUILD)/build.ninja || $(cmake) -B $(BUILD)
	@cmake --build $(BUILD) --target bench posse_program
	@$(BUILD)/bench_posse
	@$(BUILD)/bench_object | tee bench/object.csv
	@$(BUILD)/bench_team
	@$(BUILD)/bench_beliefs
	@/usr/bin/python3 bench/compare.py $(BUILD) bench/results.csv
	@/usr/bin/python3 bench/contexts.py $(BUILD) bench/contexts.csv
	@/usr/bin/python3 bench/scaling.py $(BUILD) bench/scaling.csv

bench-text:     ## error and time of learners on text, hashed to 2^18 features; VW=PROGRAM plays Vowpal Wabbit too
	@tools/setup.sh bench-text
	@test -f $(BUILD)/build.ninja || $(cmake) -B $(BUILD)
	@cmake --build $(BUILD) --target bench_text
	@/usr/bin/python3 bench/text.py $(BUILD) $(if $(VW),--vw $(VW))

bench-python:   ## time of a decision, of batches and of an experiment from Python
	@tools/setup.sh bench-python
	@$(cmake) -B $(BUILD)
	@cmake --build $(BUILD) --target posse_program python
	@PYTHONPATH=$(BUILD)/python /usr/bin/python3 -B bench/python_cost.py $(BUILD)

bench-serve:    ## load on the server and the Redis module, beside SQL and Lua; and 100,000 posses
	@tools/setup.sh bench-serve
	@$(cmake) -B $(BUILD)
	@cmake --build $(BUILD) --target all bench
	@for script in bench/serve_*.py; do /usr/bin/python3 -B $$script $(BUILD) || exit 1; done

test-gpu:       ## on a machine with a GPU and nvcc: the same bytes as on the processor, and no bad access to memory
	@tools/setup.sh test
	@$(cmake) -B $(BUILD) -DPOSSE_TESTS=ON
	@cmake --build $(BUILD) --target posse_program posse_cuda bench_gpu
	@POSSE_CUDA=$(abspath $(BUILD))/posse_cuda.so tests/system/same_bytes_on_a_device.sh . $(BUILD)
	@BUILD=$(BUILD) tests/system/sanitized_on_a_gpu.sh

bench-gpu:      ## on a machine with a GPU and nvcc: time of a round there, beside JAX: bench/gpu.csv; and of whole runs
	@test -f $(BUILD)/build.ninja || $(cmake) -B $(BUILD)
	@cmake --build $(BUILD) --target posse_program posse_cuda bench_gpu
	@$(BUILD)/bench_gpu $(BUILD)/posse_cuda.so | tee bench/gpu.csv
	@python3 bench/jax_bms.py | tee -a bench/gpu.csv
	@bench/gpu_whole.sh $(BUILD)/posse runs 20000 200000 1000000
	@bench/gpu_whole.sh $(BUILD)/posse tournament

bench-instructions: ## instructions per round, counted by valgrind: bench/instructions.csv
	@tools/setup.sh bench
	@test -f $(BUILD)/build.ninja || $(cmake) -B $(BUILD)
	@cmake --build $(BUILD) --target bench
	@/usr/bin/python3 bench/instructions.py $(BUILD) bench/instructions.csv

fuzz:           ## run each fuzz target for SECONDS=600
	@tools/setup.sh test
	@mkdir -p $(BUILD)
	@FUZZ_SECONDS=$(SECONDS) tests/system/fuzz_targets_survive.sh . $(BUILD)

install: all    ## install to PREFIX=/usr/local, below DESTDIR
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(abspath $(PREFIX))

install-library: library ## install libposse alone to PREFIX=/usr/local, below DESTDIR
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD)/library --prefix $(abspath $(PREFIX))

packages:       ## Debian packages of the last commit, checked by lintian and installed once: build/packages/*.deb
	@tools/setup.sh packages
	@mkdir -p $(BUILD)
	@tests/system/packages_are_sound.sh . $(BUILD)

tidy:           ## clang-tidy with the analyzer's own limits, on every source; `make test` limits it
	@tools/setup.sh test
	@$(cmake) -B $(BUILD) -DPOSSE_TESTS=ON
	@DEEP=1 tests/system/sources_are_tidy.sh . $(BUILD)

prose:          ## words a sentence, sentences and lines of each document
	@python3 -B tools/prose.py --table

format:         ## format the sources by .clang-format
	@tools/setup.sh test
	@tools/format.sh -i

clean:          ## remove the build folder
	@rm -rf $(BUILD)

help:           ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 20

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Text as a bandit: the error and the time of learners that take a step per word, and of a team of them.

Exports sets of Debian packages, hashes their words to 2^18 slots, and plays them with bench/text.c:

    tweets   which of four devices wrote a tweet: 8000 tweets of r-cran-dslabs (trump_tweets), drawn with a fixed seed
    corn     whether a Reuters article is about corn: ReutersCorn of weka, both files
    grain    the same for grain

usage: bench/text.py BUILD [--vw PROGRAM] [--runs N] [SET ...]
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

SLOTS = 1 << 18
WEKA = pathlib.Path("/usr/share/doc/weka/examples")


def hashed(word):
    """FNV-1a of the word's UTF-8 bytes, folded to a slot. Slot 0 is that of the constant."""
    value = 0xCBF29CE484222325
    for byte in word.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return 1 + (value ^ value >> 32) % (SLOTS - 1)


def words_of(text):
    return {hashed(word) for word in re.findall(r"[a-z0-9#@']+", text.lower())}


def tweets():
    program = """
        library(dslabs)
        top <- names(sort(table(trump_tweets$source), decreasing = TRUE))[1:4]
        rows <- trump_tweets[trump_tweets$source %in% top, ]
        write.csv(data.frame(device = rows$source, text = gsub("[\\r\\n]", " ", rows$text)), row.names = FALSE)
    """
    import csv

    out = subprocess.run(["Rscript", "-e", program], check=True, capture_output=True, text=True).stdout
    rows = [(row["device"], words_of(row["text"])) for row in csv.DictReader(out.splitlines())]
    random.Random(2026).shuffle(rows)
    return rows[:8000]


def reuters(name):
    rows = []
    for part in ("train", "test"):
        text = (WEKA / f"Reuters{name}-{part}.arff").read_text(encoding="latin-1")
        for line in text.split("@data")[1].strip().splitlines():
            quoted, label = line.rsplit(",", 1)
            rows.append((label.strip(), words_of(quoted)))
    random.Random(2026).shuffle(rows)
    return rows


SETS = {"tweets": tweets, "corn": lambda: reuters("Corn"), "grain": lambda: reuters("Grain")}


def write_rows(rows, path):
    labels = sorted({label for label, _ in rows})
    with path.open("w") as file:
        for label, slots in rows:
            pairs = " ".join(f"{slot}:1" for slot in sorted(slots))
            file.write(f"{labels.index(label)} 0:1 {pairs}\n")
    return len(labels)


VW = {
    "squarecb": "--squarecb",
    "regcbopt": "--regcbopt --mellowness .001",
    "greedy": "--epsilon 0 --cb_type mtr",
    "epsilon .02": "--epsilon .02 --cb_type mtr",
    "bag 5 greedify": "--bag 5 --greedify --epsilon 0",
    "cover 4": "--cover 4",
    "softmax": "--softmax --lambda 10",
    "default": "",
}


def play_vw(program, rows, arms, folder):
    labels = sorted({label for label, _ in rows})
    file = folder / "rows.vw"
    file.write_text("".join(f"{labels.index(label) + 1} |f " + " ".join(f"w{slot}" for slot in sorted(slots)) + "\n"
                            for label, slots in rows))
    for name, options in VW.items():
        command = [program, "-d", str(file), "--cbify", str(arms), "--cb_explore_adf", *options.split(), "--loss0", "0",
                   "--loss1", "1", "-b", "18"]
        begin = time.perf_counter()
        out = subprocess.run(command, check=True, capture_output=True, text=True)
        seconds = time.perf_counter() - begin
        loss = re.search(r"average loss = ([0-9.]+)", out.stdout + out.stderr).group(1)
        print(f"{'vw ' + name:34} {float(loss):.4f}   {1e6 * seconds / len(rows):6.1f} us with reading", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("sets", nargs="*", metavar="SET", default=list(SETS))
    parser.add_argument("--vw", help="Vowpal Wabbit, to play the same rows in the same order")
    parser.add_argument("--runs", type=int, default=5, help="runs, each with other draws")
    options = parser.parse_intermixed_args()
    for name in options.sets:
        if name not in SETS:
            sys.exit(f"text.py: there is no set {name}; there are {', '.join(SETS)}")
        rows = SETS[name]()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rows"
            arms = write_rows(rows, path)
            words = {slot for _, slots in rows for slot in slots}
            mean = sum(len(slots) for _, slots in rows) / len(rows)
            print(f"{name}: {len(rows)} rows, {arms} classes, {mean:.1f} of {len(words)} words in each", flush=True)
            subprocess.run([options.build / "bench_text", path, str(arms), str(SLOTS), str(options.runs)], check=True)
            if options.vw:
                play_vw(options.vw, rows, arms, pathlib.Path(folder))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the texts of the project are plain English. The test text_is_plain runs all of these:

    tools/prose.py PATH...           refuses the phrases of RIDDLES in documents, comments, strings and messages
    tools/prose.py --count PATH...   prints the number of such phrases instead, and succeeds
    tools/prose.py --help-of POSSE   refuses them in the help texts and in the list of kinds of that program
    tools/prose.py --pages           checks the length of pages and sentences, and how pages begin
    tools/prose.py --options POSSE   checks that the documents name every kind and option of that program
    tools/prose.py --table           prints sentences, words a sentence and lines of every document
    tools/prose.py --self-test       checks that every pattern finds its riddles and passes good sentences

A PATH is a file, or a folder with all its text files. Generated pages (GENERATED) are skipped in folders, because their
sources are checked, and so is this file, which has the riddles. No comment excuses a line: write it in other words.
"""
import argparse
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tokenize

ROOT = pathlib.Path(__file__).resolve().parent.parent

GENERATED = {"c-reference.md", "kinds.md", "commands.md", "http.md", "python-reference.md"}
TUTORIALS = ["README.md", *(f"docs/{page}.md" for page in ["embedding", "serving", "experiments", "redis", "python"])]
AVERAGE_MOST = 20  # words a sentence in TUTORIALS, on average; the average is below this
SENTENCE_MOST = 40  # words in any sentence of TUTORIALS
PAGE_MOST = 300  # lines of a page in docs/, without comments
LONG_PAGES = {"theory.md", *GENERATED}
README_MOST = 160  # lines

# ---- riddles -------------------------------------------------------------------------------------------------------

# "who" may stand behind a noun for people, with up to four words between them: "users of the library who".
PEOPLE = re.compile(
    r"\b(?:people|persons?|users?|visitors?|readers?|customers?|buyers?|patients?|authors?|operators?|engineers?"
    r"|researchers?|statisticians?|developers?|programmers?|contributors?|maintainers?|administrators?|attackers?"
    r"|colleagues?|anyone|anybody|someone|somebody|everyone|everybody|those|you)(?:,? [\w-]+){0,4},? $",
    re.IGNORECASE,
)

# A name, a pattern, what to write instead, and riddles for the self-test. A place belongs to the first pattern that
# finds it, so the special patterns come first. The text has one space where the source has several, or a new line.
RIDDLES = [
    (
        "told apart",
        r"\b(?:tells|told)(?: \w+){0,2} apart\b",
        '"no significant difference", or "distinguish"',
        ["The two selectors are not told apart on three problems.", "Nothing tells them apart."],
    ),
    (
        "of which .. tells",
        r"\bof (?:which|whom)\b[^.;:]{0,60}?\b(?:tells?|told|says?|speaks?)\b",
        "a main clause with its subject: the rewards show which one",
        ["A list of those possible, of which the rewards tell which.", "One theta behind all arms, of which every play tells."],
    ),
    (
        "told",
        r"\b(?:tells|told)\b",
        "software is given, returns, reports or rejects; it is not told, and does not tell",
        ["What balancing is told.", "The log is told which part failed.", "posse_arm_count tells how many there are.", "As told to\nthe log."],
    ),
    (
        "so many",
        r"\bso (?:many|much)\b(?!(?: [\w-]+){0,8},? that\b)",
        "the number or its name: n bytes, at most N, this many",
        ["A copy of so many bytes.", "At most so\n  much for all posses.", "The first so many, drawn evenly."],
    ),
    (
        "as many as",
        r"\bas (?:many|much)(?: \w+)? as (?:(?:are|is|was|were|that|those|what|said)\b|there (?:are|is)\b(?! \w))",
        "the number, or the quantity that it equals",
        ["It takes as many as are left.", "0 means as many\nas there are."],
    ),
    (
        "who",
        r"(?<![\w\"])(?:who(?! (?:wins?|won|it|this|you|we|they|(?:can|may) do what)\b)|whom|whoever)(?![\w\"])",
        'the noun: "the learner that", "the process that", or "if you"',
        ["Who learns from its own plays alone is judged by them.", "Whoever plays runs has large streams.", "The part of whom the objects are.", "This is for who reads."],
    ),
    (
        "comes and goes",
        r"\b(?:come|comes|coming|came) (?:and|or) (?:go|goes|going|gone|went)\b",
        "are added and retired, join and leave, or are available in some rounds",
        ["Arms come and go while a posse lives.", "Learners that came and went."],
    ),
    (
        "that are there",
        r"\b(?:that|which) (?:are|is|was|were) there\b(?! (?:to|for|between|in|on|since|before|already)\b)|\bthere (?:are|were) at first\b"
        r"|\b(?:all|the) \w+ there (?:are|were)(?=[.,;:)]|$)",
        "available, existing, active, initial",
        ["It takes the arms that are there.", "The learners there are at first.", "Every part is made again for the arms there are."],
    ),
    (
        "goes on",
        r"(?:\b(?:go|goes|went|gone)|(?<!\bbe )(?<!\bis )\bgoing) on\b"
        r"(?! (?:the|a|an|its|their|one|disk|standard|each|every|top|this|that|another|your|line)\b)",
        "continues, resumes, follows",
        ["A server that is killed goes on where it was.", "Python raises MemoryError and goes on.", "A part that cannot go on fails."],
    ),
    (
        "brings features",
        r"\b(?:bring|brings|brought|bringing)(?: [\w-]+){0,2} (?:features|numbers|contexts?|rows|vectors?)\b"
        r"|\b(?:features|numbers|contexts?|rows|arms)(?: that)?(?: (?:a|the|each|every))? (?:rounds?|visitors?|requests?) brings?\b",
        '"rounds with features", "has features"',
        ["Rounds may bring features.", "The features that a round brings."],
    ),
    (
        "what is .. is",
        r"(?:(?<=[.;:,!?(] )|(?<=\band )|(?<=\bbut )|(?<=\bso )|^)what (?:is|was|are|were|has|had|have)\b"
        r"(?: [^\s.;:,!?()]+){1,7}? (?:is|are|was|were|has|have|does|cannot|must|may|can|will|would|stays|goes|belongs|holds|comes|counts)\b"
        r"(?! that\b)(?![^.;:!]*\?)|\bwhat is more than\b",
        "a noun: the file that was read is ..; results of other data are ..",
        ["What is in the file belongs to the experiment.", "What was saved is read again.", "What is more than one core can do needs several servers."],
    ),
]

GOOD = """\
The server resumes after a crash. A decision returns the number of the arm, and the application plays it.
Most programs use the default. If you are not sure, send the reward again. There is one belief for each arm.
Twice as many runs halve the variance. The log has as many as 64 rows, and as many learners as arms.
It starts as many threads as there are processors. Dashes tell lines apart in grey print.
There are so many rows that they do not fit into memory. It makes so much noise that nobody sleeps.
People who use Redis may skip this page. It is for users of the C library who have no server.
Visitors who click count as 1. Who it is for: engineers. Comparison: who wins where, and by how much.
Arms are added and retired while a posse runs. Learners join late. A client may come back, or go away.
No significant difference was found. We compare the arms that are available. The files which are there for tests are small.
Other work may be going on. The title goes on the page, the summary goes on standard output, and one row goes on each line.
Rounds with features need a context. Each request has features. This brings the average down.
What is a posse? What is new in 0.3.0. What happens after a crash? What matters is the order. See what is stored.
What is true is that both agree. Roles limit who may do what.
It prints what is wrong and where. The option whose default is 40 is `patience`. The whole file is read.
Write a noun for every \"it\", \"who\" and \"one\".
"""

PATTERNS = [(name, re.compile(pattern, re.IGNORECASE), instead) for name, pattern, instead, _ in RIDDLES]


class Text:
    """A piece of prose: lines of one comment, paragraph or string, joined by single spaces."""

    def __init__(self):
        self.text = ""
        self.starts = []  # offset in text, and number of the line that begins there

    def add(self, line, words):
        words = " ".join(words.split())
        if words and not words.startswith("SPDX-License-Identifier"):
            self.text += " " if self.text else ""
            self.starts.append((len(self.text), line))
            self.text += words
        return self

    def line(self, offset):
        return max((start, line) for start, line in self.starts if start <= offset)[1]


def riddles(texts):
    """Line, name, place and what to write instead, of each phrase found."""
    for text in texts:
        found = []
        prose = re.sub(r"`[^`]*`", lambda code: "`" + "x" * (len(code[0]) - 2) + "`", text.text)  # names are not words
        for name, pattern, instead in PATTERNS:
            for match in pattern.finditer(prose):
                begin, end = match.span()
                if any(begin < other_end and other_begin < end for other_begin, other_end, *_ in found):
                    continue
                if name == "who" and PEOPLE.search(text.text[:begin]):
                    continue
                found.append((begin, end, name, instead))
        for begin, end, name, instead in sorted(found):
            shown = text.text[max(0, begin - 30) : end + 30]
            yield text.line(begin), name, shown, instead


# ---- texts of files ------------------------------------------------------------------------------------------------


def words_of(string):
    """Whether a string in a program is prose, and not a name, a format or a path."""
    return len(re.findall(r"[A-Za-z]{2,}", string)) >= 3


def texts_of_c(source, first=1, script=False):
    """Comments, each with the comments on the lines below it, and strings, each with the strings right behind it."""
    pieces = []
    token = re.compile(
        r"""(?P<block>/\*.*?\*/)|(?P<line>//[^\n]*)"""
        + r"""|(?P<string>"(?:\\.|[^"\\\n])*")"""
        + ("|(?P<other>'(?:\\\\.|[^'\\\\\\n])*'|`(?:\\\\.|[^`\\\\])*`)" if script else r"|(?P<char>'(?:\\.|[^'\\\n])+')")
        + (r"|(?P<regex>(?<=[=(,:;!&|?\[{}\n]) *?/(?![*/])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n\[])+/)" if script else ""),
        re.DOTALL,
    )
    text, kind, end = Text(), None, 0
    for match in token.finditer(source):
        line = first + source.count("\n", 0, match.start())
        between = source[end : match.start()]
        now = {"block": "comment", "line": "comment", "string": "string", "other": "string"}.get(match.lastgroup)
        if now is None:
            continue
        joined = now == kind and not between.strip() and not (now == "comment" and between.count("\n") > 1)
        if not joined:
            text = Text()
            pieces.append((now, text))
        if now == "comment":
            for number, part in enumerate(match[0].split("\n")):
                text.add(line + number, re.sub(r"^\s*(?:/\*+|//+|\*(?!/))|\*+/\s*$", "", part))
        else:
            string = re.sub(r"\\[nt]", " ", match[0][1:-1]).replace("\\", "")
            for number, part in enumerate(string.split("\n")):
                text.add(line + number, part)
        kind, end = now, match.end()
    return [text for kind, text in pieces if kind == "comment" or words_of(text.text)]


def texts_of_python(source, first=1):
    pieces, last = [], None
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return texts_of_lines(source, first)
    for token in tokens:
        line = first + token.start[0] - 1
        if token.type == tokenize.COMMENT:
            if last != line - 1 or not pieces or not token.line.lstrip().startswith("#"):
                pieces.append(Text())
            pieces[-1].add(line, token.string.lstrip("#"))
            last = line
        elif token.type == tokenize.STRING and words_of(token.string):
            pieces.append(Text())
            for number, part in enumerate(token.string.split("\n")):
                if not part.strip():
                    pieces.append(Text())
                part = re.sub(r"\{[^{}\s]*\}", "X", part)  # of a formatted string
                pieces[-1].add(line + number, part.strip("'\"").replace("\\n", " "))
            last = None
    return pieces


def texts_of_lines(source, first=1):
    """Of languages with # comments: comments, and strings within a line."""
    pieces, last = [], None
    for number, line in enumerate(source.split("\n"), first):
        comment = re.search(r"(?:^|\s)#+(?!\!)(.*)$", line)
        if comment:
            whole = not line[: comment.start()].strip()
            if not whole or last != number - 1:
                pieces.append(Text())
            pieces[-1].add(number, comment[1])
            last = number if whole else None
            line = line[: comment.start()]
        for string in re.findall(r"\"((?:\\.|[^\"\\])*)\"|'([^']*)'", line):
            if words_of("".join(string)):
                pieces.append(Text().add(number, "".join(string)))
    return pieces


def texts_of_yaml(source, first=1):
    values = [
        Text().add(number, match[1])
        for number, line in enumerate(source.split("\n"), first)
        if (match := re.match(r"[^#\"']*?: ([^#\"'{\[]+)$", line)) and words_of(match[1])
    ]
    return texts_of_lines(source, first) + values


def texts_of_json(source, first=1):
    return [
        Text().add(first + source.count("\n", 0, match.start()), match[1].replace("\\n", " "))
        for match in re.finditer(r'"((?:\\.|[^"\\])*)"', source)
        if words_of(match[1])
    ]


def texts_of_html(source, first=1):
    pieces = []

    def taken(match):
        line = first + source.count("\n", 0, match.start(2))
        pieces.extend(texts_of_c(match[2], line, script=match[1] == "script"))
        return re.sub(r"[^\n]", " ", match[0])

    rest = re.sub(r"<(script|style)[^>]*>(.*?)</\1>", taken, source, flags=re.DOTALL)
    rest = re.sub(r"</?(?:p|div|h\d|li|td|th|tr|table|section|button|label|option|header|footer|main|dt|dd)\b[^>]*>|<!--|-->", "\0", rest)
    rest = re.sub(r"<[^>]*>", lambda match: re.sub(r"[^\n]", " ", match[0]), rest)
    number = first
    for part in rest.split("\0"):
        text = Text()
        for line in part.split("\n"):
            text.add(number, line)
            number += 1
        number -= 1
        pieces.append(text)
    return pieces


def plain(words):
    """Markdown without its marks: code has its words and no punctuation, a link is its text, a picture is nothing."""
    words = re.sub(r"(`+)(.*?)\1", lambda code: " ".join(["`" + "x" * len(word) + "`" for word in code[2].split()]), words)
    words = re.sub(r"!\[[^\]]*\]\([^)]*\)", " ", words)
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)
    words = re.sub(r"<https?:[^>]*>", "address", words)
    return re.sub(r"\*\*|(?<!\w)[*_](?=\w)|(?<=[\w.,;:`])[*_](?!\w)", "", words)


def blocks_of_markdown(source, first=1):
    """Kind (heading, table, paragraph, code, comment), language of code and lines, as (number, text), of each block."""
    kind, language, lines, fence, in_list = None, "", [], None, False
    for number, line in enumerate(source.split("\n"), first):
        opening = re.match(r"\s*(```+|~~~+)\s*(\w*)", line)
        if kind == "code":
            if opening and opening[1].startswith(fence) and not opening[2]:
                yield kind, language, lines
                kind, lines = None, []
            else:
                lines.append((number, line))
            continue
        if kind == "comment":
            lines.append((number, line))
            if "-->" in line:
                yield kind, "", lines
                kind, lines = None, []
            continue
        if opening:
            new = "code"
        elif not line.strip():
            new = None
        elif line.lstrip().startswith("<!--"):
            new = "comment"
        elif re.match(r"#{1,6} ", line):
            new = "heading"
        elif re.match(r"\s*\|", line):
            new = "table"
        elif line.startswith("    ") and not in_list and kind != "paragraph":
            new = "drawing"
        else:
            new = "paragraph"
        item = new == "paragraph" and re.match(r"\s*(?:[-*+]|\d+[.)]) ", line)
        if kind and (new != kind or item or new == "heading"):
            yield kind, language, lines
            lines = []
        if new == "paragraph":
            in_list = bool(item) or (in_list and (line.startswith(" ") or kind == "paragraph"))
        elif new == "heading":
            in_list = False
        kind, language = new, ""
        if new == "code":
            fence, language = opening[1], opening[2]
        elif new == "comment" and "-->" in line:
            yield "comment", "", [(number, line)]
            kind = None
        elif new:
            lines.append((number, re.sub(r"^\s*(?:[-*+]|\d+[.)]|>) ", "", line) if item or line.startswith(">") else line))
    if kind and lines:
        yield kind, language, lines


CODE = {"c": texts_of_c, "cpp": texts_of_c, "python": texts_of_python, "sh": texts_of_lines, "yaml": texts_of_yaml, "cmake": texts_of_lines}


def texts_of_markdown(source, first=1):
    for kind, language, lines in blocks_of_markdown(source, first):
        if kind in ("paragraph", "heading"):
            text = Text()
            for number, line in lines:
                text.add(number, plain(line.lstrip("# ") if kind == "heading" else line))
            yield text
        elif kind == "table":
            for number, line in lines:
                for cell in plain(line).split("|"):
                    yield Text().add(number, cell)
        elif kind == "code" and language in CODE and lines:
            yield from CODE[language]("\n".join(line for _, line in lines), lines[0][0])


def texts_of_plain(source, first=1):
    """Paragraphs."""
    pieces = [Text()]
    for number, line in enumerate(source.split("\n"), first):
        if not line.strip() or re.match(r" +[*-]", line):
            pieces.append(Text())
        pieces[-1].add(number, line)
    return pieces


READERS = {
    ".md": texts_of_markdown,
    **dict.fromkeys([".c", ".h", ".cpp", ".css"], texts_of_c),
    ".js": lambda source: texts_of_c(source, script=True),
    **dict.fromkeys([".py", ".pyi"], texts_of_python),
    **dict.fromkeys([".sh", ".cmake", ".toml", ".service", ".in", ".bash"], texts_of_lines),
    **dict.fromkeys([".yaml", ".yml", ".cff"], texts_of_yaml),
    ".json": texts_of_json,
    ".html": texts_of_html,
    **dict.fromkeys(["Makefile", "CMakeLists.txt", "_posse", "rules"], texts_of_lines),
    **dict.fromkeys(["control", "changelog"], texts_of_plain),
}
SKIPPED = {"build", "results", "corpus", "__pycache__", ".git", "wrong", "scratch"}


def reader(path):
    return READERS.get(path.name) or READERS.get(path.suffix)


def files(paths):
    for path in map(pathlib.Path, paths):
        if not path.exists():
            sys.exit(f"prose.py: there is no {path}")
        if path.is_file():
            yield path
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(set(folders) - SKIPPED)
            for name in sorted(names):
                file = pathlib.Path(folder) / name
                if reader(file) and name not in GENERATED and file.resolve() != pathlib.Path(__file__).resolve():
                    yield file


def check_paths(paths, count):
    found, places = 0, 0
    for path in files(paths):
        read = reader(path)
        if not read:
            sys.exit(f"prose.py: {path} is of no known type")
        here = list(riddles(read(path.read_text())))
        found, places = found + len(here), places + bool(here)
        if not count:
            show(path, here)
    if count:
        print(f"{found} riddles in {places} files of {' '.join(map(str, paths))}")
    return found == 0 or count


def show(path, found):
    for line, name, shown, instead in found:
        print(f"{path}:{line}: {name}: .. {shown} ..\n    write {instead}")


# ---- the program's own texts ---------------------------------------------------------------------------------------


def output(*command):
    environment = {**os.environ, "ARGP_HELP_FMT": "rmargin=10000,opt-doc-col=60"}
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def check_help(posse):
    whole = output(posse, "--help")
    commands = [command for command in re.findall(r"^  posse ([a-z]+)", whole, re.MULTILINE) if command != "help"]
    good = True
    for command in [["--help"], ["list"], *([command, "--help"] for command in commands)]:
        texts = []
        for number, line in enumerate(output(posse, *command).split("\n"), 1):
            if not texts or len(line) - len(line.lstrip()) < 15:  # otherwise the line continues a description
                texts.append(Text())
            texts[-1].add(number, line)
        found = list(riddles(texts))
        show("posse " + " ".join(command), found)
        good = good and not found
    return good


# Pages that have every kind of a family; options may be in kinds.md, which is generated, instead.
FAMILIES = {
    "environments": ["experiment-files.md", "experiments.md", "contexts.md", "logged-data.md", "drift.md"],
    "beliefs": ["beliefs.md"],
    "learners": ["learners.md"],
    "selectors": ["selectors.md", "rival-selectors.md"],
}


def code_of(pages):
    """Words in the code of pages: blocks, and pieces of code in the text."""
    found = set()
    for page in pages:
        if page.exists():
            code = re.findall(r"```.*?```|`[^`\n]+`", page.read_text(), re.DOTALL)
            found.update(re.findall(r"[\w-]+", " ".join(code)))
    return found


def check_options(posse):
    docs = ROOT / "docs"
    generated = code_of([docs / "kinds.md"])
    good, family, kind = True, None, None
    for line in output(posse, "list").split("\n"):
        indent = len(line) - len(line.lstrip())
        name = line.split()[0] if line.strip() else None
        if name and indent == 0:
            family = name
            of_family = code_of(docs / page for page in FAMILIES[family])
            documented = of_family | generated
        elif name and indent == 2:
            kind = "every " + family[:-1] if name == "every" else name
            if name not in of_family and name != "every":
                print(f"docs/{FAMILIES[family][0]}: the kind `{kind}` of the {family} is not described")
                good = False
        elif name and indent == 6 and name.split(".")[-1] not in documented:
            print(f"docs/{FAMILIES[family][0]}: the option `{name}` of `{kind}` ({family}) is in no page, nor in docs/kinds.md")
            good = False
    return good


# ---- pages and sentences -------------------------------------------------------------------------------------------

ABBREVIATION = re.compile(r"(?:^|[\s(])(?:e\.g|i\.e|vs|cf|al|approx|resp|No|Fig|Sec|Th|Eq)\.$")


def sentences(source):
    """Line and number of words of each sentence.

    A sentence ends with a full stop, a question mark or an exclamation mark, and where its paragraph or list item ends; not
    with a colon or a semicolon. Headings, tables, code blocks, comments and pictures have no sentences. Words of code in the
    text count, targets of links do not. Fewer than five words without a full stop are a label and do not count.
    """
    for kind, _, lines in blocks_of_markdown(source):
        if kind != "paragraph":
            continue
        text = Text()
        for number, line in lines:
            text.add(number, plain(line))
        begin = 0
        for end in [*re.finditer(r"[.!?][\"')\]”’]*(?=\s)(?<!\.\.)", text.text), None]:
            stop = end.end() if end else len(text.text)
            part = text.text[begin:stop]
            if end and ABBREVIATION.search(part):
                continue
            words = [word for word in part.split() if re.search(r"\w", word)]
            if len(words) >= 5 or (words and re.search(r"[.!?][\"')\]”’]*$", part)):
                yield text.line(begin + len(part) - len(part.lstrip())), len(words)
            begin = stop


def lines_of(source):
    """The number of lines that are not comments."""
    return sum(not re.fullmatch(r"\s*<!--.*-->\s*", line) for line in source.splitlines())


def documents():
    return [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def print_table():
    print(f"{'document':32}{'sentences':>10}{'average':>9}{'longest':>9}{'lines':>7}")
    for document in documents():
        source = document.read_text()
        lengths = [words for _, words in sentences(source)]
        average = sum(lengths) / max(1, len(lengths))
        name = document.relative_to(ROOT).as_posix()
        print(f"{name:32}{len(lengths):>10}{average:>9.1f}{max(lengths, default=0):>9}{lines_of(source):>7}")
    return True


def check_pages():
    good = True

    def complain(place, what):
        nonlocal good
        print(f"{place}: {what}")
        good = False

    for document in documents():
        name = document.relative_to(ROOT).as_posix()
        source = document.read_text()
        lines = lines_of(source)
        most = README_MOST if name == "README.md" else PAGE_MOST if document.parent.name == "docs" and document.name not in LONG_PAGES else None
        if most and lines > most:
            complain(name, f"{lines} lines, at most {most}")
        if name in TUTORIALS:
            lengths = list(sentences(source))
            average = sum(words for _, words in lengths) / max(1, len(lengths))
            if not lengths or average >= AVERAGE_MOST:
                complain(name, f"{average:.1f} words a sentence on average, must be below {AVERAGE_MOST}")
            for line, words in lengths:
                if words > SENTENCE_MOST:
                    complain(f"{name}:{line}", f"a sentence of {words} words, at most {SENTENCE_MOST}")
        begin = [kind for kind, _, lines in blocks_of_markdown(source) if kind != "comment"][:2]
        if begin != ["heading", "paragraph"] or not re.match(r"(?:<!--.*?-->\s*)*# ", source, re.DOTALL):
            complain(name, "begins with " + " and ".join(begin) + ", not with its title and a paragraph")
        elif not plain(next(lines for kind, _, lines in blocks_of_markdown(source) if kind == "paragraph")[0][1]).strip():
            complain(name, "begins with a picture, not with a paragraph")
    for name in TUTORIALS:
        if not (ROOT / name).exists():
            complain(name, "there is no such page")
    return good


# ---- self-test -----------------------------------------------------------------------------------------------------


def self_test():
    """Riddles are planted in scratch files of several languages; each must be found, at its line and by its pattern."""
    wrong = []
    planted = [(name, riddle) for name, _, _, examples in RIDDLES for riddle in examples]
    frames = {
        "riddle.md": ("# Title\n\nA paragraph.\n\n", "- ", "", "\n"),
        "riddle.c": ("/* SPDX */\nint x = 1; /* fine */\n\n", "/* ", " */", "\n * "),
        "riddle.py": ('"""Fine."""\n\nx = 1\n', "# ", "", "\n# "),
        "riddle.sh": ("#!/bin/sh\nset -eu\n\n", "# ", "", "\n# "),
        "riddle.js": ("let x = /[\"']/;\n", "// ", "", "\n// "),
    }
    with tempfile.TemporaryDirectory() as folder:
        for file, (head, before, behind, again) in frames.items():
            path = pathlib.Path(folder) / file
            for name, riddle in planted:
                path.write_text(head + before + riddle.replace("\n", again) + behind + "\n\n")
                found = [(line, found_name) for line, found_name, *_ in riddles(reader(path)(path.read_text()))]
                lines = range(head.count("\n") + 1, head.count("\n") + riddle.count("\n") + 2)
                if len(found) != 1 or found[0][0] not in lines or found[0][1] != name:
                    wrong.append(f"{file}: {riddle!r} must be found once as {name!r}, found {found}")
            path.write_text(head + "\n\n".join(before + line + behind for line in GOOD.splitlines()) + "\n")
            wrong += [f"{file}: {shown!r} is good, but found as {name!r}" for _, name, shown, _ in riddles(reader(path)(path.read_text()))]
        strings = pathlib.Path(folder) / "string.c"
        strings.write_text('x("After so "\n  "many bytes it is told.");\n')
        if [(line, name) for line, name, *_ in riddles(texts_of_c(strings.read_text()))] != [(1, "so many"), (2, "told")]:
            wrong.append("a phrase in two neighbouring strings is not found")
    measured = "# T\n\nOne two three, e.g. five: six; seven\n[eight nine](where.md#a) `t e n`. Is it? Label\n\n| a | b |\n\n```c\nx. y.\n```\n- One item that ends here\n- Next item. Yes.\n"
    if [words for _, words in sentences(measured)] != [12, 2, 5, 2, 1]:
        wrong.append(f"sentences are not found: {list(sentences(measured))}")
    for line in wrong:
        print(line)
    print(f"{len(planted)} riddles in {len(frames)} languages, {len(wrong)} mistakes")
    return not wrong


def main():
    parser = argparse.ArgumentParser(description="Checks that the texts of the project are plain English.")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files, or folders with all their text files")
    parser.add_argument("--count", action="store_true", help="print the number of riddles in PATHs only, and succeed")
    parser.add_argument("--help-of", metavar="POSSE", help="check the help texts of this program")
    parser.add_argument("--options", metavar="POSSE", help="check that the documents name the kinds and options of this program")
    parser.add_argument("--pages", action="store_true", help="check the length of pages and sentences, and how pages begin")
    parser.add_argument("--table", action="store_true", help="print sentences, words a sentence and lines of every document")
    parser.add_argument("--self-test", action="store_true", help="check the patterns")
    given = parser.parse_args()
    jobs = [
        (given.self_test, self_test),
        (given.table, print_table),
        (given.paths, lambda: check_paths(given.paths, given.count)),
        (given.help_of, lambda: check_help(given.help_of)),
        (given.pages, check_pages),
        (given.options, lambda: check_options(given.options)),
    ]
    if not any(wanted for wanted, _ in jobs):
        parser.error("give paths, or one of the options")
    results = [job() for wanted, job in jobs if wanted]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()

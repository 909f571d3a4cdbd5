#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the reference pages of the documents from what they are about:

    c-reference.md       include/posse.h and posse_abreast.h: each declaration with its comment
    kinds.md             posse list --markdown
    commands.md          posse COMMAND --help
    http.md              serve/openapi.json
    python-reference.md  the Python package: its stub and its docstrings

usage: tools/reference.py BUILD [FOLDER]
BUILD holds the program and the Python package; FOLDER is docs unless it is given. The test references_are_current compares;
`make reference` mends what it finds.
"""
import ast
import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent


# ---- Markdown, whatever it is about ----------------------------------------------------------------------------------


def wrapped(text):
    """A paragraph of lines up to 120 columns. None of them begins as a list or a heading would."""
    lines = textwrap.wrap(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False)
    joined = []
    for line in lines:
        if joined and re.match(r"([-+#>=]|\d+[.)])(\s|$)", line):
            joined[-1] += " " + line
        else:
            joined.append(line)
    return "\n".join(joined)


def fenced(language, text):
    return f"```{language}\n{text}\n```"


def table(head, rows):
    """A table; columns in which no row has anything are left out."""
    kept = [i for i in range(len(head)) if any(row[i] for row in rows)]
    lines = [[head[i] for i in kept], ["---"] * len(kept), *[[row[i] for i in kept] for row in rows]]
    return "\n".join("| " + " | ".join(cell.replace("\n", " ") for cell in line) + " |" for line in lines)


def cell(text):
    """What would end a cell of a table is escaped."""
    return " ".join(text.split()).replace("|", "\\|")


def slug(heading):
    """The anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def page(title, made_from, *blocks):
    """A page, with a line that says what it is made from. Headings with the same anchor are a mistake."""
    made = wrapped(f"*`make reference` writes this page from {made_from}. Change the source, not the page.*")
    text = "\n\n".join([f"# {title}", made, *[block.strip("\n") for block in blocks if block.strip()]]) + "\n"
    anchors = [slug(line.lstrip("#")[1:]) for line in re.findall(r"^#+ .*", without_fences(text), re.MULTILINE)]
    twice = {anchor for anchor in anchors if anchors.count(anchor) > 1}
    if twice:
        sys.exit(f"{title}: several headings are #{' and #'.join(sorted(twice))}")
    return text


def without_fences(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def paragraphs(text, language, prose):
    """Text whose indented lines are examples, as blocks: `prose` makes Markdown of what is not indented."""
    blocks, kind, lines = [], None, []

    def finish():
        if kind == "shown":
            blocks.append(fenced(language, textwrap.dedent("\n".join(lines)).strip("\n")))
        elif kind == "said":
            blocks.append(wrapped(prose(" ".join(lines))))

    for line in text.split("\n"):
        now = None if not line.strip() else "shown" if line.startswith("  ") else "said"
        if now != kind and not (now is None and kind == "shown"):
            finish()
            kind, lines = now, []
        lines.append(line if now != "said" else line.strip())
    finish()
    return "\n\n".join(blocks)


def linked_documents(text):
    """docs/NAME.md as a link to it."""
    return re.sub(r"\bdocs/([\w-]+\.md)", r"[\1](\1)", text)


# ---- C -----------------------------------------------------------------------------------------------------------------

# A declaration that begins a line, up to the semicolon (or, of a macro, the end) that ends it.
DECLARATION = re.compile(
    r"POSSE_API [^;]*;|typedef (?:struct|enum)[^;{]*(?:\{[^{}\n]*\}[^;]*|\{.*?^\}[^;]*)?;|(?:struct \w+|enum) \{.*?^\};|(?:#define \w+ [^\n]+\n?)+",
    re.MULTILINE | re.DOTALL,
)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SECTION = re.compile(r"/\* (?:=+ \d\. |-{4,} |(---) )(.*?) [=-]+ \*/")


def comment_text(comment):
    """What a comment says, with its indentation: two spaces and more are an example."""
    lines = comment[2:-2].rstrip().split("\n")
    return "\n".join(re.sub(r"^ ?\*? ?", "", line, count=1).rstrip() for line in lines).strip("\n")


def c_name(code):
    """What a declaration declares. Constants without a name are called by the first and the last."""
    if code.startswith("#define"):
        return " to ".join(dict.fromkeys(re.findall(r"#define (\w+)", code)[:: max(1, code.count("\n"))]))
    if code.startswith("POSSE_API"):
        return re.search(r"(\w+)\(", code)[1]
    if code.startswith("enum"):
        constants = re.findall(r"^ +(POSSE_\w+)", code, re.MULTILINE)
        return f"{constants[0]} to {constants[-1]}"
    if code.startswith("struct"):
        return code.split()[1]
    return re.search(r"(\w+);$", code)[1]


def c_code(code):
    """A declaration as it is shown: a call on one line, or broken behind commas."""
    if not code.startswith("POSSE_API"):
        return code
    lines = [""]
    for argument in re.split(r"(?<=,) ", " ".join(code[len("POSSE_API "):].split())):
        if lines[-1] and len(lines[-1]) + len(argument) >= 100:
            lines.append("   ")
        lines[-1] += " " * bool(lines[-1]) + argument
    return "\n".join(lines)


class Header:
    """The pieces of a header, in order: ("section", title), ("text", comment) and ("group", comment, [(code, remark)])."""

    def __init__(self, text):
        self.opaque = {name for name in re.findall(r"^typedef struct \w+ (\w+);", text, re.MULTILINE)}
        self.opaque -= set(re.findall(r"^struct (\w+) \{", text, re.MULTILINE))
        self.calls = re.findall(r"^(?:POSSE_API )?\w[^;({}]*\b(posse_\w+)\([^)]*\);", text, re.MULTILINE)
        body = text[text.index('extern "C" {'):].split("\n", 2)[2]
        self.about = comment_text(COMMENT.match(text)[0])
        self.pieces, self.pending, self.group = [], None, None
        self.read(re.sub(r"#if defined\(__GNUC__\)\n(__attribute__.*\n#endif\n|(.*\n)*?#endif\n)", "", body))

    def read(self, text):
        at = 0
        while at < len(text):
            if match := SECTION.match(text, at):
                self.settle()
                self.title = match[2] if not match[1] else self.title
                self.pieces.append(("section", f"{self.title}: {match[2]}" if match[1] else match[2]))
            elif match := COMMENT.match(text, at):
                if self.group and text[at - 1] != "\n":
                    self.group[2][-1][1] = comment_text(match[0])
                else:
                    self.settle()
                    self.pending = comment_text(match[0])
            elif match := DECLARATION.match(text, at):
                self.declare(match[0].rstrip())
            elif text.startswith("\n\n", at):
                self.settle()
            elif match := re.compile(r"#(ifdef|endif|if|else).*\n").match(text, at):
                pass
            at = match.end() if match else at + 1

    def declare(self, code):
        name = c_name(code)
        if re.fullmatch(r"typedef struct \w+ \w+;", code) and name not in self.opaque:
            return
        if self.group is None:
            self.group = ("group", self.pending or "", [])
            self.pending = None
        self.group[2].append([code, ""])

    def settle(self):
        """A group is at its end; a comment that is about no declaration is a text."""
        if self.group:
            self.pieces.append(self.group)
        elif self.pending:
            self.pieces.append(("text", self.pending))
        self.group = self.pending = None

    def names(self):
        """Every name that is declared, and the heading that it is under."""
        for _, _, declarations in (piece for piece in self.pieces if piece[0] == "group"):
            for code, _ in declarations:
                yield c_name(code), slug(c_name(code))
                if "enum" in code.split("{")[0]:
                    for constant in re.findall(r"\b(POSSE_[A-Z_0-9]+)\b *(?:=|,|\})", COMMENT.sub("", code)):
                        yield constant, slug(c_name(code))


def c_prose(text, anchors):
    """The words of a comment: names of the header become links, and what is code is shown as such."""
    name = r"\*?\b(?:posse_[a-z_0-9]+|POSSE_[A-Z_0-9]+)\b(?!\.h)(?:\.[a-z_]+)*(?:\(\))?"

    def code(match):
        inner = match[0].strip("`")
        anchor = anchors.get(re.match(r"\*?(\w*)", inner)[1])
        return f"[`{inner}`](#{anchor})" if anchor else f"`{inner}`"

    text = re.sub(rf"`[^`]*`|{name}|(?<![\w*`])\*[a-z_]+\b(?!\*)|\bposse_abreast\.h\b", code, linked_documents(text))
    return re.sub(r"<(?=[a-zA-Z])", r"\\<", text)


def c_reference(build):
    headers = [Header((ROOT / "include" / name).read_text()) for name in ("posse.h", "posse_abreast.h")]
    anchors = {name: anchor for header in headers for name, anchor in header.names()}
    if missed := {call for header in headers for call in header.calls} - set(anchors):
        sys.exit(f"these declarations of the header were not understood: {', '.join(sorted(missed))}")
    headers[0].pieces.insert(0, ("section", "version"))
    headers[1].pieces[:0] = [("section", "runs abreast"), ("text", headers[1].about.split("\n\nSPDX")[0])]
    prose = lambda text: paragraphs(text, "text", lambda said: c_prose(said, anchors))
    about = [part for part in headers[0].about.split("\n\n") if not re.match(r"posse: |This header|SPDX", part)]
    sections, blocks = [], []
    for kind, *piece in [*headers[0].pieces, *headers[1].pieces]:
        if kind == "section":
            title = f"{piece[0][0].upper()}{piece[0][1:]}"
            sections.append(f"[{title}](#{slug(title)})")
            blocks.append(f"## {title}")
        elif kind == "text":
            blocks.append(prose(piece[0]))
        else:
            comment, declarations = piece
            first = c_name(declarations[0][0])
            for code, remark in declarations:
                said = prose(comment) if c_name(code) == first else f"See [`{first}`](#{slug(first)})." if comment else ""
                blocks += [f"### {c_name(code)}", fenced("c", c_code(code)), said, prose(remark)]
    made = "[include/posse.h](../include/posse.h) and [include/posse_abreast.h](../include/posse_abreast.h)"
    hint = "[embedding.md](embedding.md) is the tutorial. The sections are " + ", ".join(sections) + "."
    return page("C reference", made, prose("\n\n".join(about)), wrapped(hint), *blocks)


# ---- the program -------------------------------------------------------------------------------------------------------


def said_by(build, *arguments):
    """What the program prints. argp does not wrap it, and has the options in one column and their help in another."""
    environment = {**os.environ, "ARGP_HELP_FMT": "rmargin=10000,opt-doc-col=60,no-dup-args-note", "LC_ALL": "C.UTF-8"}
    return subprocess.run([build / "posse", *arguments], check=True, text=True, capture_output=True, env=environment).stdout


def kinds(build):
    intro = (
        "An environment, a belief, a learner or a selector is written as its kind and its keys: `{kind: ucb, width: 0.5}`, or "
        "`ucb` alone where every default will do. A key with a dot is nested: `prior.mean` is written `prior: {mean: 0}`. "
        "A range includes its ends where the bracket is square. A key without a default may be left out unless it is "
        "required. *environment* as a default is the belief, or the key of the belief, that the environment or the posse has as "
        "its prior. In experiment files, learners and selectors also have a `name`, and a selector that plays only some of the "
        "learners has their names as `learners`."
    )
    more = "[beliefs.md](beliefs.md), [learners.md](learners.md) and [selectors.md](selectors.md) explain them."
    return page("Kinds and their keys", "what `posse list --markdown` prints", wrapped(intro), more, said_by(build, "list", "--markdown"))


def command_prose(text):
    return linked_documents(re.sub(r"^Exit status: ", "**Exit status.** ", text.replace("*", "\\*")))


def command_blocks(text):
    """The help of a command: usage, what it does, a table of options, and what is said below them."""
    usage, above, listed, below = re.match(r"Usage: (.*)\n((?:.*\n)*?)\n((?: +-.*\n)+)((?:.*\n)*)", text).groups()
    rows = [re.split(r"   +", line.strip(), maxsplit=1) for line in listed.rstrip().split("\n")]
    rows = [[f"`{option}`", cell(command_prose(help_))] for option, help_ in rows]
    said = [paragraphs(part, "text", command_prose) for part in (above, below)]
    return [fenced("text", usage), said[0], table(["option", "meaning"], rows), said[1]]


def commands(build):
    found = re.findall(r"^  posse ([a-z]+) .*?  +(\S.*)$", said_by(build, "--help"), re.MULTILINE)
    rows = [[f"[`posse {name}`](#posse-{name})", cell(what)] for name, what in found if name != "help"]
    blocks = []
    for name, _ in found:
        if name != "help":
            blocks += [f"## posse {name}", *command_blocks(said_by(build, name, "--help"))]
    intro = "`posse --version` prints the version, and `posse help COMMAND` the text about a command. Options may be written before or after files."
    return page("Commands", "what `posse COMMAND --help` prints", table(["command", "what it does"], rows), wrapped(intro), *blocks)


# ---- HTTP --------------------------------------------------------------------------------------------------------------


def json_text(value):
    """An object on one line, or with a line for each key."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= 100:
        return line
    return "{\n" + ",\n".join(f"  {json.dumps(key)}: {json.dumps(entry, ensure_ascii=False)}" for key, entry in value.items()) + "\n}"


class Service:
    """openapi.json as Markdown. Objects that several requests have in common are described once, below the requests."""

    def __init__(self, document):
        self.document, self.schemas = document, document["components"]["schemas"]
        self.linked = []

    def resolve(self, thing):
        if "$ref" not in thing:
            return thing
        kind, name = thing["$ref"].split("/")[-2:]
        return self.document["components"][kind][name]

    def type_of(self, schema):
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            if name not in self.linked:
                self.linked.append(name)
            return f"[{name}](#{slug(name)})"
        if schema.get("type") == "array":
            return "list of " + self.plural(self.type_of(schema["items"]))
        if "oneOf" in schema:
            return " or ".join(self.type_of(one) for one in schema["oneOf"])
        kinds_ = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        words = {"integer": "whole number", "boolean": "true or false", "string": "text"}
        return " or ".join(words.get(kind, kind) for kind in kinds_)

    def plural(self, kind):
        return kind.replace("list", "lists", 1) if kind.startswith("list") else kind if kind.endswith(")") else kind + "s"

    def limits(self, schema):
        ends = [f"{word} {schema[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in schema]
        many = [f"at most {schema['maxItems']}"] if "maxItems" in schema else []
        return ", ".join([" ".join(ends)] * bool(ends) + many)

    def limited(self, schema):
        limits = self.limits(schema)
        return self.type_of(schema) + (f", {limits}" if limits else "")

    def keys(self, schema):
        """A table of the keys of an object; below it, those of objects in it that have no name."""
        rows, inner = [], []
        for key, how in schema["properties"].items():
            default = f"`{json.dumps(how['default'])}`" if "default" in how else "required" if key in schema["required"] else ""
            rows.append([f"`{key}`", self.limited(how), default, cell(linked_documents(how["description"]))])
            items = how.get("items", {})
            if "properties" in items:
                inner += [f"Each of `{key}`:", self.keys(items)]
        return "\n\n".join([table(["key", "type", "default", "meaning"], rows), *inner])

    def answer_keys(self, schema):
        """The same of an answer, in which everything is there unless it is said otherwise."""
        optional = set(schema["properties"]) - set(schema["required"])
        rows, inner = [], []
        for key, how in schema["properties"].items():
            rows.append([f"`{key}`" + " (optional)" * (key in optional), self.type_of(how), cell(linked_documents(how["description"]))])
            if "properties" in how.get("items", {}):
                inner += [f"Each of `{key}`:", self.answer_keys(how["items"])]
        return "\n\n".join([table(["key", "type", "meaning"], rows), *inner])

    def body(self, content):
        schema = content["application/json"]["schema"]
        form = "The body, in JSON or YAML" if "application/yaml" in content else "The body"
        example = fenced("json", json_text(content["application/json"]["example"]))
        if schema.get("$ref", "").endswith("/Part"):
            return f"{form}: a {self.type_of(schema)}. For example:\n\n{example}"
        shapes = [self.keys(self.resolve(one)) for one in schema.get("oneOf", [self.resolve(schema)])]
        return f"{form}:\n\n" + "\n\nOr:\n\n".join(shapes) + f"\n\nFor example:\n\n{example}"

    def request(self, path, method, operation):
        role = {"none": "Needs no token.", "any": "Needs a token with any role."}
        said = role.get(operation["x-role"], "Needs the role " + " and ".join(f"`{r}`" for r in operation["x-role"].split(", ")) + ".")
        parameters = [p for p in operation.get("parameters", ()) if "$ref" not in p]  # not the name of the posse
        rows = [[f"`{p['name']}`", p["in"], self.limited(p["schema"]), "required" if p.get("required") else "", cell(p["description"])]
                for p in parameters]
        yield f"### {operation['summary']}"
        yield fenced("text", f"{method.upper()} {path}")
        yield wrapped(linked_documents(operation.get("description", "") + " " + said))
        if rows:
            yield table(["parameter", "in", "type", "", "meaning"], rows)
        if "requestBody" in operation:
            yield self.body(operation["requestBody"]["content"])
        yield from self.answers(operation["responses"])

    def answers(self, responses):
        errors = []
        for status, answer in responses.items():
            if "$ref" in answer:
                errors.append(f"[{status}](#errors)")
                continue
            (kind, content), = answer["content"].items()
            said = f"**{status}** {answer['description']}"
            schema = content["schema"]
            if "properties" in schema:
                yield said
                yield self.answer_keys(schema)
            elif kind == "text/event-stream":
                yield wrapped(f"{said} The data of each is a {self.type_of(schema)}.")
            else:
                yield wrapped(f"{said} The answer: {self.type_of(schema)}." if "$ref" in schema or "oneOf" in schema else said)
        if errors:
            yield f"Errors: {', '.join(errors)}."

    def objects(self):
        """Those that were linked to; they may link to others."""
        done = 0
        while done < len(self.linked):
            name = self.linked[done]
            schema, done = self.schemas[name], done + 1
            yield f"### {name}"
            if "description" in schema:
                yield wrapped(linked_documents(schema["description"]))
            if "oneOf" in schema:
                yield self.keys(next(one for one in schema["oneOf"] if "properties" in one))
            elif name in ("Context", "Reward"):
                yield self.keys(schema)
            else:
                yield self.answer_keys(schema)

    def errors(self):
        rows = [[status, cell(linked_documents(one["description"]))] for status, one in self.document["components"]["responses"].items()]
        rows.insert(4, ["405", "The path exists, but not with this method."])
        yield "## Errors"
        yield f"The answer is a {self.type_of({'$ref': '#/components/schemas/Problem'})}."
        yield table(["status", "meaning"], rows)


def http(build):
    service = Service(json.loads((ROOT / "serve/openapi.json").read_text()))
    rows, blocks = [], []
    for path, methods in service.document["paths"].items():
        for method, operation in methods.items():
            rows.append([f"`{method.upper()} {path}`", operation["x-role"].replace("none", ""), f"[{operation['summary']}](#{slug(operation['summary'])})"])
            blocks += service.request(path, method, operation)
    blocks += service.errors()
    blocks += ["## Objects", *service.objects()]
    about = [wrapped(linked_documents(part)) for part in service.document["info"]["description"].split("\n\n")]
    return page("HTTP reference", "[serve/openapi.json](../serve/openapi.json), which a server has at `/v1/openapi.json`", *about,
                "## Requests", table(["request", "role", "what it does"], rows), *blocks)


# ---- Python ------------------------------------------------------------------------------------------------------------

GROUPS = {
    "The object": "Posse Decision load",
    "Served posses": "connect connect_http HttpPosse RedisPosse ServedDecision",
    "Features": "Context hashed Propensities",
    "Learners of your own": "Learner Arms Round Draw",
    "Experiments": "run check open Results Competitor Pair Claim Table",
    "Simulation": "Environment",
    "Priors": "fit_prior read_prior",
    "Logs": "read_vw write_vw Log LoggedRound",
    "The library": "kinds version kernels",
    "Errors": "Error SpecificationError ContextError RewardError DecisionError LearnerError AbsentError DamagedError RunError "
    "UnreachableError MissingError ForbiddenError Problem",
}
BESIDES = {"RedisPosse": "redis_client", "ServedDecision": "served"}  # what connect and its posses return


class Package:
    """The definitions of a package, by module."""

    def __init__(self, folder):
        self.modules = {}
        for file in [*sorted(folder.glob("*.py")), folder / "_posse.pyi"]:
            body = ast.parse(file.read_text()).body
            self.modules[file.stem] = {node.name: node for node in body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
            if file.stem == "__init__":
                self.exported = {alias.asname or alias.name: (node.module.split(".")[1], alias.name)
                                 for node in body if isinstance(node, ast.ImportFrom) for alias in node.names}
                self.all = next(ast.literal_eval(node.value) for node in body if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")

    def find(self, name):
        module, own = self.exported.get(name) or (BESIDES[name], name)
        return self.modules[module][own]

    def members(self, node):
        """Those of a class and of the bases that the package has; the first of a name counts."""
        found, fields = {}, {}
        for line, after in zip(node.body, [*node.body[1:], None]):
            if isinstance(line, ast.FunctionDef):
                found.setdefault(line.name, line)
            elif isinstance(line, ast.AnnAssign) and not line.target.id.startswith("_"):
                said = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
                fields[line.target.id] = (ast.unparse(line.annotation), said)
        for base in node.bases:
            for module in self.modules.values():
                if isinstance(base, ast.Name) and base.id in module and base.id != "Error":
                    more, others = self.members(module[base.id])
                    found, fields = {**more, **found}, {**others, **fields}
        return found, fields


def signature(node, name):
    """def lines, one argument a line where it gets long."""
    arguments = node.args
    if arguments.posonlyargs and arguments.posonlyargs[0].arg in ("self", "cls"):
        arguments = ast.arguments(**{**vars(arguments), "posonlyargs": arguments.posonlyargs[1:]})
    elif arguments.args and arguments.args[0].arg in ("self", "cls"):
        arguments = ast.arguments(**{**vars(arguments), "args": arguments.args[1:]})
    returns = f" -> {ast.unparse(node.returns)}" if node.returns is not None and node.name not in ("__new__", "__init__") else ""
    parts = [part for part in re.split(r", (?![^\[\]{}()]*[\]})])", ast.unparse(arguments)) if part]
    parts = [" = ".join(part.split("=", 1)) if ": " in part.split("=")[0] else part for part in parts]
    line = f"{name}({', '.join(parts)}){returns}"
    return line if len(line) <= 100 else f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){returns}"


def python_prose(text):
    """Code is between two backquotes there; what else Markdown would take for its own is escaped."""
    text = re.sub(r"``([^`]*)``", r"`\1`", text)
    return re.sub(r"`[^`]*`|[*<]", lambda match: match[0] if match[0][0] == "`" else "\\" + match[0], text)


def docstring(node):
    """The docstring as blocks. `::` announces an example, which is indented."""
    text = ast.get_docstring(node) or ""
    text = re.sub(r"^::\n", "", re.sub(r"(\w)::$", r"\1:", text, flags=re.MULTILINE), flags=re.MULTILINE)
    return paragraphs(text, "py", python_prose)


def is_property(node):
    return any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)


def class_blocks(package, name, node):
    methods, fields = package.members(node)
    make = methods.get("__new__") or methods.get("__init__")
    made = make is not None and name in package.all and "Error" not in name and name not in ("Arms", "Competitor", "Results", "Table", "HttpPosse")
    bases = [ast.unparse(base) for base in node.bases]
    shown = signature(make, f"class {name}") if made else f"class {name}" + (f"({', '.join(bases)})" if bases else "")
    rows = [[f"`{field}`", f"`{cell(kind)}`", cell(python_prose(said))] for field, (kind, said) in fields.items()]
    rows += [[f"`{method}`", f"`{cell(ast.unparse(one.returns))}`", cell(python_prose(ast.get_docstring(one) or ""))]
             for method, one in methods.items() if is_property(one) and not method.startswith("_")]
    yield f"### {name}"
    yield fenced("py", shown)
    yield docstring(node)
    if rows:
        yield table(["attribute", "type", "meaning"], rows)
    for method, one in methods.items():
        if not method.startswith("_") and not any("property" in ast.unparse(d) or "setter" in ast.unparse(d) for d in one.decorator_list):
            yield f"#### {name}.{method}"
            yield fenced("py", signature(one, method))
            yield docstring(one)


def python_reference(build):
    package = Package(build / "python/posse")
    listed = [name for names in GROUPS.values() for name in names.split()]
    if set(listed) != set(package.all) | set(BESIDES):
        sys.exit(f"GROUPS of tools/reference.py is not what posse exports: {set(listed) ^ (set(package.all) | set(BESIDES))}")
    blocks = []
    for title, names in GROUPS.items():
        blocks.append(f"## {title}")
        for name in names.split():
            node = package.find(name)
            if isinstance(node, ast.ClassDef):
                blocks += class_blocks(package, name, node)
            else:
                blocks += [f"### {name}", fenced("py", signature(node, f"posse.{name}")), docstring(node)]
    intro = (
        "[python.md](python.md) is the tutorial. All names below are in the module `posse`. `BeliefPart`, `SelectorPart`, "
        "`EnvironmentPart` and the like are dicts with a `kind` and its keys, as in experiment files: [kinds.md](kinds.md) lists "
        "them. `AnyLearner` is such a dict, the name of a kind, or a learner in Python. `RedisPosse` and `ServedDecision` are "
        "what `connect` and its posses return."
    )
    return page("Python reference", "the package's stub `python/posse/_posse.pyi` and its docstrings", wrapped(intro), *blocks)


PAGES = {
    "c-reference.md": c_reference,
    "kinds.md": kinds,
    "commands.md": commands,
    "http.md": http,
    "python-reference.md": python_reference,
}


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else ROOT / "docs"
    for name, write in PAGES.items():
        (folder / name).write_text(write(build), encoding="utf-8")


if __name__ == "__main__":
    main()

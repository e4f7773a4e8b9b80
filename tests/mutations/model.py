# SPDX-License-Identifier: Apache-2.0
"""A parser of the cycle models that vta-hlsc emits: the processes of a C++ header to trees of the nodes of verilog.py.

What has nodes: assignments, calls, increments of a cycle, and conditions, each on a line of its own. Not the loops of an iteration,
declarations, lambdas, and what decides only when a process is resumed.
"""
import re

from verilog import Node, Parser

TOKEN = re.compile(r"//[^\n]*|[A-Za-z_]\w*|\d+u?|\s+|<<|>>|<=|>=|==|!=|&&|\|\||->|::|\+\+|.", re.DOTALL)
PROCESS = re.compile(r"^void run_(\w+)\(\) \{\n.*?^\}\n(?=\n)", re.MULTILINE | re.DOTALL)
DECLARATION = re.compile(r"(?:\[\[maybe_unused\]\] )?(?:const )?(?:auto|Cycle|uint\d+_t|bool) \w+ = ")
ASSIGNMENT = re.compile(r"(?:it\.)?\w+ \+?= ")
CALL = re.compile(r"(?:process\.waited|[\w.]+(?:->|\.)(?:push|push_back|pop|write|add|request))\(")
INCREMENT = re.compile(r"\+\+(?:now|at);")
# Deadlines and the order in which fibers are resumed have no effect on cycles.
UNCHANGED = re.compile(r".*(?:heartbeat|>= limit\)|_waits\(\)|\[\[maybe_unused\]\] bits)")
TEMPLATES = {"bits", "sign_extended", "static_cast", "lane", "shifted_left", "shifted_right", "shifted_right_signed", "less_signed",
             "reversed", "inserted"}


class LineParser(Parser):
    """Parses one line."""
    UNARY = ("!", "~", "-")

    def __init__(self, text, begin, end):
        self.text = text
        self.tokens = [(match[0], match.start(), match.end()) for match in TOKEN.finditer(text, begin, end)
                       if not match[0].isspace() and not match[0].startswith("//")]
        self.at = 0

    def primary(self):
        start = self.begin()
        token = self.take()
        if token[0].isdigit():
            return Node("number", start, self.end(), name=token)
        if token == "(":
            children = [self.expression()]
            self.take(")")
            return Node("group", start, self.end(), children)
        if token == "{":
            children = self.arguments("}")
            return Node("group", start, self.end(), children)
        if not re.match(r"[A-Za-z_]", token):
            self.at -= 1
            self.take("an expression")
        return self.postfix(start, token)

    def postfix(self, start, token):
        """Names, members, indices and calls. A group's name is that of its last call, with template arguments."""
        children, name, last = [], "", token
        while True:
            following = self.peek()
            if following in (".", "->", "::"):
                self.take()
                last = self.take()
            elif following == "<" and last in TEMPLATES:
                first = self.begin()
                self.skip_template()
                last += self.text[first:self.end()]
            elif following in ("(", "{"):
                self.take()
                children += self.arguments(")" if following == "(" else "}")
                name = last
            elif following == "[":
                self.take()
                self.skip_to("]")
            else:
                break
        kind = "group" if name else "name"
        return Node(kind, start, self.end(), children, name or self.text[start:self.end()])

    def skip_template(self):
        depth = 0
        while True:
            token = self.take()
            depth += {"<": 1, ">": -1, ">>": -2}.get(token, 0)
            if depth == 0:
                return

    def arguments(self, closing):
        children = []
        while self.peek() != closing:
            children.append(self.expression())
            if self.peek() == ",":
                self.take()
        self.take(closing)
        return children

    def line_statement(self):
        """None: a line without nodes."""
        start = self.begin()
        rest = self.text[start:self.tokens[-1][2]]
        if self.peek() == "if":
            return self.if_line(start)
        if INCREMENT.fullmatch(rest):
            self.at = len(self.tokens)
            return Node("assign", start, self.end(), name="cycle")
        for kind, pattern in (("declaration", DECLARATION), ("assignment", ASSIGNMENT)):
            found = pattern.match(rest)
            if found:
                while self.begin() < start + found.end():
                    self.take()
                value = self.expression()
                self.take(";")
                return Node("assign", start, self.end(), [value], kind)
        if CALL.match(rest):
            call = self.expression()
            self.take(";")
            return Node("assign", start, self.end(), [call], "call")
        return None

    def if_line(self, start):
        self.take("if"), self.take("(")
        condition = self.expression()
        self.take(")")
        kind, own = ("list", []) if "nullptr" in self.text[condition.begin:condition.end] else ("if", [condition])
        return Node(kind, start, self.tokens[-1][2], own + self.then())

    def then(self):
        """The statement after a condition, if it has nodes."""
        if self.peek() in ("{", "break", "return", "continue", "["):
            return []
        try:
            node = self.line_statement()
        except ValueError:  # with a lambda
            return []
        return [] if node is None else [node]


def process(text, match):
    children, at = [], match.start()
    for line in match[0].splitlines(keepends=True):
        begin, at = at, at + len(line)
        if not line.strip() or UNCHANGED.match(line):
            continue
        try:
            node = LineParser(text, begin, at).line_statement()
        except (ValueError, IndexError):
            continue  # a loop, a declaration
        if node is not None:
            children.append(node)
    return Node("module", match.start(), match.end(), children, match[1])


def parse(text):
    """The processes of a model."""
    return [process(text, match) for match in PROCESS.finditer(text)]


def widths(text, module):
    """The widths of the variables of a process."""
    declared = re.findall(r"\bbits<(\d+)> (v\d+)\b", text[module.begin:module.end])
    return {name: int(width) for width, name in declared}

# SPDX-License-Identifier: Apache-2.0
"""A parser of the SystemVerilog that vta-hlsc emits and of hw/rtl: modules to trees whose nodes know their text.

Node kinds:
  expressions  binary (operator, two children), unary (operator, one child), conditional (three children), name, number,
               select (the net and the text of its bounds; an index that is not a number is a child), group (parentheses,
               concatenation, cast, function; children)
  statements   if (condition, then, otherwise), assign (blocking, nonblocking or continuous; one child, the value), list
  items        instance, module; both have their name in `name`
Text that cannot be changed at run time is in no node: parameters, ranges, targets, generate conditions, assertions.
"""
import re

TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\(\*(?!\)).*?\*\)|`\w+|\$\w+|[A-Za-z_]\w*|\d*'[bdhs]?[0-9A-Fa-f_]+|\d+|\s+"
                   r"|<<|>>>|>>|<=|>=|==|!=|&&|\|\||\+:|.", re.DOTALL)
# Binary operators by precedence, the weakest first.
LEVELS = [("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">="), ("<<", ">>", ">>>"), ("+", "-"), ("*",)]


class Node:
    def __init__(self, kind, begin, end, children=(), name="", position=None):
        self.kind, self.begin, self.end, self.children, self.name = kind, begin, end, list(children), name
        self.position = position  # of the operator of a binary or unary node, of the port list of an item
        self.mutants = []


def choose_view(text, simulation):
    """The text of one view: emitted files have pairs `ifndef HLS_SIMULATION ... `else ... `endif."""
    def view(match):
        return match[2] if simulation else match[1]
    return re.sub(r"`ifndef HLS_SIMULATION\n(.*?)`else\n(.*?)`endif\n", view, text, flags=re.DOTALL)


class Parser:
    UNARY = ("~", "|", "&", "!", "-")

    def __init__(self, text):
        self.text = text
        self.tokens = []
        for match in TOKEN.finditer(text):
            token = match[0]
            if not token.isspace() and not token.startswith(("//", "/*", "(*")):
                self.tokens.append((token, match.start(), match.end()))
        self.at = 0

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][0] if self.at + ahead < len(self.tokens) else ""

    def begin(self):
        return self.tokens[self.at][1]

    def end(self):
        """The end of the token before this one."""
        return self.tokens[self.at - 1][2]

    def take(self, expected=None):
        token = self.peek()
        if token == "" or (expected is not None and token != expected):
            line = self.text.count("\n", 0, self.tokens[min(self.at, len(self.tokens) - 1)][1]) + 1
            raise ValueError(f"line {line}: expected {expected or 'more'}, got {token or 'the end of the file'}")
        self.at += 1
        return token

    def skip_to(self, closing):
        """Continues after the `closing` that is not in brackets opened on the way."""
        depth = 0
        while True:
            token = self.take()
            if depth == 0 and token == closing:
                return
            depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))

    # Expressions.

    def expression(self):
        start = self.begin()
        node = self.binary(0)
        if self.peek() != "?":
            return node
        self.take()
        yes = self.expression()
        self.take(":")
        no = self.expression()
        return Node("conditional", start, self.end(), [node, yes, no])

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        start = self.begin()
        node = self.binary(level + 1)
        while self.peek() in LEVELS[level]:
            position = self.begin()
            operator = self.take()
            node = Node("binary", start, 0, [node, self.binary(level + 1)], operator, position)
            node.end = self.end()
        return node

    def unary(self):
        if self.peek() not in self.UNARY:
            return self.primary()
        start = self.begin()
        operator = self.take()
        child = self.unary()
        return Node("unary", start, self.end(), [child], operator, start)

    def primary(self):
        start = self.begin()
        token = self.take()
        if token == "(":
            children = [self.expression()]
            self.take(")")
        elif token == "{":
            children = self.concatenation()
        elif self.peek() == "'":  # a cast; its width is a constant
            self.take(), self.take("(")
            children = [self.expression()]
            self.take(")")
        elif token.startswith("$"):
            self.take("(")
            children = [self.expression()]
            self.take(")")
        elif token[0].isdigit() or token[0] == "'":
            return Node("number", start, self.end(), name=token)
        elif re.match(r"[A-Za-z_]", token):
            return self.name(start, token)
        else:
            self.at -= 1
            self.take("an expression")
        return Node("group", start, self.end(), children)

    def concatenation(self):
        if self.peek().isdigit() and self.peek(1) == "{":  # the number of copies is a constant
            self.take(), self.take()
            children = self.concatenation()
            self.take("}")
            return children
        children = [self.expression()]
        while self.peek() == ",":
            self.take()
            children.append(self.expression())
        self.take("}")
        return children

    def name(self, start, token):
        node = Node("name", start, self.end(), name=token)
        while self.peek() == "[":
            self.take()
            bounds = self.begin()
            literal = self.peek().isdigit()
            child = self.expression()
            if self.peek() in (":", "+:"):
                self.skip_to("]")
                child = None
            else:
                self.take("]")
            text = self.text[bounds:self.tokens[self.at - 1][1]]
            inner = [] if child is None or literal else [child]
            node = Node("select", start, self.end(), node.children + inner, token, text if not node.position else "")
        return node

    # Statements.

    def statement(self):
        start = self.begin()
        token = self.peek()
        if token == "begin":
            return self.block(start)
        if token == "if":
            return self.if_statement(start)
        if token == "$fatal":
            self.skip_to(";")
            return Node("list", start, self.end())
        self.take()
        while self.peek() == "[":
            self.take()
            self.skip_to("]")
        if token == "{":
            self.skip_to("}")
        operator = self.take()
        value = self.expression()
        self.take(";")
        return Node("assign", start, self.end(), [value], "nonblocking" if operator == "<=" else "blocking")

    def block(self, start):
        self.take("begin")
        if self.peek() == ":":
            self.take(), self.take()
        children = []
        while self.peek() != "end":
            if self.peek() in ("reg", "logic"):
                self.skip_to(";")
            else:
                children.append(self.statement())
        self.take("end")
        return Node("list", start, self.end(), children)

    def if_statement(self, start):
        self.take("if"), self.take("(")
        condition = self.expression()
        self.take(")")
        children = [condition, self.statement()]
        if self.peek() == "else":
            self.take()
            children.append(self.statement())
        return Node("if", start, self.end(), children)

    # Modules.

    def items(self, closing):
        children = []
        while self.peek() not in closing:
            children += self.item()
        return children

    def item(self):
        start = self.begin()
        token = self.take()
        if token in ("localparam", "genvar"):
            self.skip_to(";")
            return []
        if token in ("wire", "reg", "assign"):
            return self.declaration(start)
        if token == "always":
            self.take("@")
            self.take("*") if self.peek() == "*" else (self.take("("), self.skip_to(")"))
            return [self.statement()]
        if token in ("generate", "endgenerate"):
            return []
        if token == "for":
            self.take("("), self.skip_to(")")
            return self.generated()
        if token == "if":
            self.take("("), self.skip_to(")")
            children = self.generated()
            if self.peek() == "else":
                self.take()
                children += self.generated()
            return children
        if token == "`ifdef":  # assertions
            while self.take() != "`endif":
                pass
            return []
        return [self.instance(start, token)]

    def generated(self):
        self.take("begin"), self.take(":"), self.take()
        children = self.items(("end",))
        self.take("end")
        return children

    def declaration(self, start):
        while self.peek() not in ("=", ";"):
            if self.peek() == "[":
                self.take()
                self.skip_to("]")
            else:
                self.take()
        if self.take() == ";":
            return []
        keeps_lint_quiet = self.peek(-2) == "unused"
        value = self.expression()
        self.take(";")
        return [] if keeps_lint_quiet else [Node("assign", start, self.end(), [value], "continuous")]

    def instance(self, start, module):
        if self.peek() == "#":
            self.take(), self.take("("), self.skip_to(")")
        self.take()
        self.take("(")
        position = self.end()
        children = []
        while self.peek() == ".":
            self.take(), self.take(), self.take("(")
            value = self.expression()
            if value.kind not in ("name", "select"):  # those may be outputs
                children.append(value)
            self.take(")")
            if self.peek() == ",":
                self.take()
        self.take(")"), self.take(";")
        return Node("instance", start, self.end(), children, module, position)

    def module(self):
        start = self.begin()
        self.take("module")
        name = self.take()
        if self.peek() == "#":
            self.take(), self.take("("), self.skip_to(")")
        self.take("(")
        position = self.end()
        self.skip_to(")")
        self.take(";")
        children = self.items(("endmodule",))
        self.take("endmodule")
        return Node("module", start, self.end(), children, name, position)

    def modules(self):
        found = []
        while self.at < len(self.tokens):
            found.append(self.module())
        return found


def parse(text):
    """The modules of a file of one view. Errors: ValueError, with the line."""
    return Parser(text).modules()


def widths(text, module):
    """The widths of the nets, ports and variables of a module that are declared with numbers."""
    found = {}
    for match in re.finditer(r"\b(?:wire|reg)\s+(?:signed\s+)?(?:\[\s*(\d+):0\]\s*)?(\w+)", text[module.begin:module.end]):
        found[match[2]] = int(match[1] or 0) + 1
    return found

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the checks in scripts/: each finds what it is for, and nothing in text that is right.

Example:
  tests/docs/check_scripts_test.py
"""
import json
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_docs
import check_figures
import check_layers
import check_recipes
import check_sources
import check_words
import page_numbers
import sources

sys.path.insert(0, str(sources.ROOT))
from hw.fpga.flow import yosys_statistics  # noqa: E402


def words(*lines):
    return check_words.words_of("\n".join(lines))


def places(text, *lines, path="a.cc"):
    return [(line, there) for line, there, _ in check_words.found_in(path, text, words(*lines))]


class CheckWords(unittest.TestCase):
    def test_names_line_and_text(self):
        self.assertEqual(places("a\nthe Picture\n", "pictures?\timage"), [(2, "Picture")])

    def test_finds_phrases_across_lines_and_comment_markers(self):
        text = "int x;  // beats that are under\n// way\n"
        self.assertEqual(places(text, r"\bunder way\b" + "\tin flight"), [(1, "under way")])

    def test_finds_phrases_across_split_strings(self):
        text = 'fail("beats under "\n     "way");\n'
        self.assertEqual(places(text, r"\bunder way\b" + "\tin flight"), [(1, "under way")])

    def test_no_phrase_spans_an_empty_line(self):
        self.assertEqual(places("it goes under\n\nWay out\n", r"\bunder way\b" + "\tin flight"), [])

    def test_capitals_in_an_expression_count(self):
        self.assertEqual(places("kMostTiles kmosttiles", "kMost[A-Z]\tkMax"), [(1, "kMostT")])

    def test_quotations_are_exempt(self):
        self.assertEqual(places("the word “behind” is retired\n> behind\nbehind\n", "behind\tafter"), [(3, "behind")])

    def test_a_quotation_of_several_lines_keeps_line_numbers(self):
        self.assertEqual(places("“behind\nbehind”\nbehind\n", "behind\tafter"), [(3, "behind")])

    def test_paths_can_be_exempt(self):
        self.assertEqual(places("behind", "behind\tafter\tb/*.cc a.*"), [])

    def test_a_line_without_replacement_is_refused(self):
        with self.assertRaisesRegex(ValueError, "retired_words.txt:2: expected expression, replacement"):
            words("# comment", "behind")

    def test_the_list_finds_what_is_retired_and_lets_good_english_be(self):
        listed = check_words.words_of(sources.read(check_words.LIST))
        retired = ["'x' is no number", "those of driver::open()", "who waits for what", "at the most 3", "kMostTiles",
                   "kLeastBits", "test_first", "standing alone", "stands in the list", "hands the values on", "nobody",
                   "what must be had", "behind the stage", "AluStyle::kDocument", "room in a FIFO", "constant_bits",
                   "beats under way", "a picture", "in hw/hls's vocabulary", "The one idea: it is short"]
        for text in retired:
            self.assertTrue(list(check_words.found_in("a.cc", text, listed)), text)
        good = ["there is no such file", "it is no longer", "whole", "mushroom", "at most 3", "a standalone tool",
                "the stage is at hand", "kMaxTiles", "a stand", "is not a number", "is normal"]
        for text in good:
            self.assertEqual(list(check_words.found_in("a.cc", text, listed)), [], text)


class CheckOpeners(unittest.TestCase):
    def test_comments_docstrings_and_paragraphs_that_open_with_of(self):
        for path, text in [("a.cc", "int x;\n// Of a layer.\n"), ("a.cc", "int y;  // Of a tile.\n"), ("a.h", "int y;  //< Of a tile.\n"),
                           ("a.py", '"""Of a line."""\n'), ("a.py", "# Of a line\n"), ("a.md", "# A\n\nOf all cores, one.\n"),
                           ("a.md", "a\n- Of all cores, one.\n"), ("a.md", "a\n| Of all | b |\n")]:
            self.assertEqual(len(check_words.opener_lines(path, text)), 1, text)
        for path, text in [("a.cc", "// The cost\n// Of a layer.\n"), ("a.cc", "// Office\n"), ("a.py", '"""The cost of a line."""\n'),
                           ("a.md", "# A\n\nThe cost\nOf all cores.\n")]:
            self.assertEqual(check_words.opener_lines(path, text), [], text)

    def test_each_opener_is_named(self):
        texts = {"a.cc": "// Of a layer.\nint x;\n// A tile.\n// Of x.\n", "b.cc": "// A layer.\n"}
        self.assertEqual(list(check_words.opener_problems(texts)), ["a.cc:1: opens with 'Of': name the subject"])

    def test_sentences_are_counted_without_code_and_by_cell(self):
        text = "# A b\n\nOne two `x y z` three. Four\nfive.\n\n```sh\na b c d\n```\n- six [seven](eight nine)\n\n| ten | eleven twelve |\n"
        self.assertEqual(check_words.sentence_lengths(text), [2, 4, 2, 2, 1, 2])

    def test_a_full_stop_of_an_abbreviation_ends_no_sentence(self):
        self.assertEqual(check_words.sentence_lengths("Names, e.g. resnet18, i.e. `net.json`, vs. Others. Two words.\n"), [7, 2])
        self.assertEqual(check_words.sentence_lengths("One (e.g. A) two. Three.\n"), [4, 1])

    def test_a_full_stop_before_a_lower_case_name_ends_a_sentence(self):
        self.assertEqual(check_words.sentence_lengths("It fails (twice). nullopt: it does not. The 3. x\n"), [3, 4, 3])

    def test_comments_are_paragraphs_without_examples(self):
        text = "// One two\n// three.\n//\n//   an example\nint x;  // four\nint y;  // five\n        // six\n"
        self.assertEqual(check_words.sentence_lengths(check_words.comments("a.h", text)), [3, 1, 2])
        text = '#!/usr/bin/env python3\n"""One two.\n\na: three\nb: four\n  an example\n"""\nx = 5  # six "seven"\n'
        self.assertEqual(check_words.sentence_lengths(check_words.comments("a", text)), [2, 2, 2, 2])
        self.assertEqual(check_words.comments("a.json", "// one"), "")

    def test_texts_of_long_sentences_are_named(self):
        short, long = "One two.\n\n" * 49, "word " * 31 + ".\n"
        self.assertEqual(list(check_words.length_problems("comments", {"a.md": short + long})), [])
        self.assertEqual(list(check_words.length_problems("comments", {"a.md": short + long + "\n" + long})),
                         ["2 of 51 sentences of comments have more than 30 words, at most 1 of 50 may; most: a.md 2"])


class CheckLayers(unittest.TestCase):
    def test_cycles_are_sets_of_nodes_that_reach_each_other(self):
        graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": set()}
        self.assertEqual(check_layers.cycles(graph), [{"a", "b", "c"}])

    def test_the_shortest_cycle_is_shown(self):
        graph = {"a": {"b", "c"}, "b": {"c"}, "c": {"a"}}
        self.assertEqual(check_layers.one_cycle(graph, {"a", "b", "c"}), "a -> c -> a")

    def test_headers_that_include_each_other(self):
        found = list(check_layers.cycle_problems({"x/a.h": ["x/b.h"], "x/b.h": ["x/a.h"]}, []))
        self.assertEqual(found[0], "headers include each other: x/a.h -> x/b.h -> x/a.h")

    def test_modules_that_include_each_other(self):
        includes = {"x/a.cc": ["x/a.h", "x/b.h"], "x/b.h": ["x/a.h"]}
        self.assertEqual(list(check_layers.cycle_problems(includes, [])),
                         ["modules include each other: x/a -> x/b -> x/a (all: x/a, x/b)"])
        self.assertEqual(list(check_layers.cycle_problems(includes, [{"x/a", "x/b"}])), [])

    def test_a_listed_cycle_that_is_cut_must_leave_the_list(self):
        self.assertEqual(list(check_layers.cycle_problems({"x/a.h": ["x/b.h"]}, [{"x/a", "x/b"}])),
                         ["KNOWN_CYCLES: x/a, x/b is not a cycle any more; remove it"])

    def test_a_layer_may_include_only_what_its_row_says(self):
        self.assertIsNone(check_layers.own_include_problem("hw/hlsc/emit/verilog.cc", "hw/hlsc/ir/ir.h"))
        self.assertEqual(check_layers.own_include_problem("hw/hlsc/ir/ir.cc", "hw/hlsc/emit/verilog.h"),
                         "hw/hlsc/ir may not include hw/hlsc/emit/verilog.h")

    def test_a_row_that_names_base_permits_all_of_its_folders(self):
        self.assertIsNone(check_layers.own_include_problem("hw/isa/mnemonic.cc", "base/errors/error.h"))
        self.assertEqual(check_layers.own_include_problem("hw/core/gemm.h", "base/errors/error.h"),
                         "hw/core may not include base/errors/error.h")

    def test_no_folder_of_the_top_level_includes_a_floor_above(self):
        self.assertEqual(list(check_layers.floor_problems({"sim/a/a.h": ["base/errors/error.h", "sim/b/b.h"]}, {})), [])
        for path in ("hw/isa/a.h", "hw/isa/a.cc", "hw/isa/a.def", "hw/isa/a.cc.in"):
            self.assertEqual(list(check_layers.floor_problems({path: ["runtime/tensor/op.h"]}, {})),
                             [f"{path}: includes runtime/tensor/op.h, which is on a floor above"])

    def test_no_folder_of_the_top_level_links_a_floor_above(self):
        cmake = {"hw/isa/CMakeLists.txt": "vta_library(vta_isa SOURCES a.cc DEPS vta_base)  # not vta-sim\n",
                 "base/CMakeLists.txt": "vta_library(vta_base SOURCES b.cc)\n",
                 "tools/sim/CMakeLists.txt": "vta_tool(vta-sim SOURCES main.cc DEPS vta_isa)\n"}
        self.assertEqual(list(check_layers.floor_problems({}, cmake)), [])
        cmake["base/CMakeLists.txt"] += "target_link_libraries(vta_base PUBLIC vta_isa)\n"
        cmake["hw/isa/CMakeLists.txt"] += "add_custom_command(OUTPUT c COMMAND vta-sim DEPENDS vta-sim)\n"
        self.assertEqual(list(check_layers.floor_problems({}, cmake)),
                         ["hw/isa/CMakeLists.txt: names vta-sim of tools/sim/CMakeLists.txt, which is on a floor above",
                          "base/CMakeLists.txt: names vta_isa of hw/isa/CMakeLists.txt, which is on a floor above"])

    def test_the_python_of_a_floor_imports_no_floor_above_and_no_script(self):
        texts = {"hw/fpga/flow/a.py": "import json\nfrom hw.fpga.flow import tools\n", "tests/a.py": "from scripts import sources\n"}
        self.assertEqual(list(check_layers.python_problems(texts)), [])
        texts = {"hw/fpga/flow/a.py": "from scripts import sources\nimport sim.analysis.x\n"}
        self.assertEqual(list(check_layers.python_problems(texts)),
                         ["hw/fpga/flow/a.py: imports scripts, which is a script",
                          "hw/fpga/flow/a.py: imports sim.analysis.x, which is on a floor above"])

    def test_an_upward_include_or_link_planted_in_this_tree_is_found(self):
        cmake = {str(path): sources.read(path) for path in sources.files("*CMakeLists.txt")}
        self.assertEqual(list(check_layers.floor_problems({}, cmake)), [])
        planted = {**cmake, "driver/CMakeLists.txt": cmake["driver/CMakeLists.txt"] + "target_link_libraries(vta_driver vta_session)\n"}
        self.assertEqual(len(list(check_layers.floor_problems({"driver/device.h": ["runtime/session/session.h"]}, planted))), 2)

    def test_every_folder_of_sources_at_the_top_level_is_a_floor(self):
        tops = {path.parts[0] for path in sources.files("*/*.h", "*/*.cc", "*CMakeLists.txt") if len(path.parts) > 1}
        self.assertEqual(tops - set(check_layers.FLOORS), set())

    def test_a_row_permits_only_what_its_folder_includes(self):
        layers = [("a", "", []), ("b", "", []), ("c", "", ["a", "b"]), ("d", "", check_layers.ALL)]
        self.assertEqual(list(check_layers.unused_problems({"c/x.cc": ["b/x.h", "c/x.h"]}, layers)),
                         ["LAYERS: c may include a, which it does not; remove that"])

    def test_a_folder_without_a_row(self):
        self.assertIn("sim/new: has no row in LAYERS of scripts/check_layers.py",
                      list(check_layers.row_problems(["sim/new/a.cc"])))

    def test_a_table_that_differs(self):
        text = "# Layers\n\n" + check_layers.table() + "\nText\n"
        self.assertEqual(list(check_layers.table_problems(text)), [])
        self.assertTrue(list(check_layers.table_problems(text.replace("| - |", "| all |"))))


class CheckSources(unittest.TestCase):
    def test_folders_of_unit_tests_are_folders_of_sources(self):
        tests = [pathlib.PurePosixPath(f"tests/unit/{name}") for name in ("hw/isa/a_test.cc", "hw_isa/b_test.cc")]
        self.assertEqual(list(check_sources.unit_folder_problems(tests, {"hw/isa"})),
                         ["tests/unit/hw_isa: no folder hw_isa to test"])

    def test_names_a_raw_json_error(self):
        caught = "} catch (const nlohmann::json::exception& error) {"
        texts = {"a.cc": caught, "b.cc": "} catch (const Json::type_error&) {", "base/files/strict_json.cc": caught,
                 "c.cc": "with_json_errors(file, [&] { json.at(1); });"}
        self.assertEqual([problem.split(":")[0] for problem in check_sources.raw_message_problems(texts)], ["a.cc", "b.cc"])

    def test_names_an_output_that_is_not_declared(self):
        texts = {"a.cc": 'command\n    .option("--list", file, "FILE",\n            "Write; (it)")\n    .required();',
                 "b.cc": 'command.output("--page", file, "FILE", "Write the page"); command.option("--in", file, "FILE", "Read it");'}
        self.assertEqual([problem.split(";")[0] for problem in check_sources.undeclared_output_problems(texts)], [])
        texts["a.cc"] = texts["a.cc"].replace("Write;", "Write a file;")
        self.assertEqual([problem.split(";")[0] for problem in check_sources.undeclared_output_problems(texts)],
                         ["a.cc: --list writes a file"])
        texts["a.cc"] = 'command.option("-o,--out", places, "PLACES.json", "the new place of each cell");'
        self.assertEqual([problem.split(";")[0] for problem in check_sources.undeclared_output_problems(texts)],
                         ["a.cc: -o,--out writes a file"])


class YosysStatistics(unittest.TestCase):
    MODULES = '{\n   "modules": {\n      "\\\\m": {"num_cells_by_type": {"DSP48E1": 2}}\n   }'

    def test_reads_json(self):
        self.assertEqual(yosys_statistics.cells_of_modules(self.MODULES + "\n}\n"), {"m": {"DSP48E1": 2}})

    def test_reads_what_yosys_023_prints_after_the_modules(self):
        for rest in [",\n\n}\n", ',\n       $paramod\\hls_fifo      1\n      "design": {\n      }\n}\n']:
            self.assertEqual(yosys_statistics.cells_of_modules(self.MODULES + rest), {"m": {"DSP48E1": 2}})


class CheckDocs(unittest.TestCase):
    def test_a_readme_has_at_most_150_lines(self):
        readme = pathlib.PurePosixPath("sim/README.md")
        self.assertEqual(list(check_docs.length_problems(readme, "a\n" * 150)), [])
        self.assertEqual(len(list(check_docs.length_problems(readme, "a\n" * 151))), 1)
        self.assertEqual(list(check_docs.length_problems(pathlib.PurePosixPath("docs/vta_sim.md"), "a\n" * 151)), [])

    def test_a_stage_names_its_files(self):
        with tempfile.TemporaryDirectory() as folder:
            readme = pathlib.Path(folder, "README.md")
            readme.write_text("`compile()` (`front_end.h`), `split_*` and `pass`")
            for name in ["front_end.cc", "split_sums.h", "pass.cc", "loops.h", "loops.cc", "fold.cc"]:
                pathlib.Path(folder, name).touch()
            self.assertEqual(list(check_docs.file_problems(readme, {"fold"})), ["does not name loops"])


class CheckFigures(unittest.TestCase):
    def problems(self, **texts):
        """With other texts for README (its name is README_md here)."""
        return self.problems_with({name.replace("_", "."): text for name, text in texts.items()})

    def problems_with(self, texts):
        """With other texts for some paths; a text that no rule matches is a problem, too."""
        try:
            return check_figures.problems_of(lambda path: texts.get(path) or sources.read(path))
        except ValueError as error:
            return [str(error)]

    def changed(self, rule, group):
        text = sources.read(rule.document)
        start, end = check_figures.match_of(rule, text).span(group)
        figure = re.sub(r"\d", lambda digit: str(9 - int(digit.group())), text[start:end], count=1)
        return text[:start] + (figure if figure != text[start:end] else "x" + figure) + text[end:]

    def test_every_figure_that_is_changed_is_noticed_and_corrected(self):
        self.assertEqual(self.problems(), [])
        for rule in check_figures.RULES:
            for group in range(1, re.compile(rule.expression).groups + 1):
                read = {rule.document: self.changed(rule, group)}
                try:
                    texts, wrong = check_figures.correct_all(lambda path, read=read: read.get(path) or sources.read(path))
                except ValueError:
                    continue  # the expression does not match any more, which the check reports
                self.assertTrue(wrong, f"{rule.document}: {rule.expression}")
                self.assertEqual(" ".join(texts[rule.document].split()), " ".join(sources.read(rule.document).split()))

    def test_every_number_of_the_readme_that_is_changed_is_noticed(self):
        text = sources.read("README.md")
        prose = re.sub(r"```.*?```|`[^`\n]*`|\]\([^)]*\)", lambda m: " " * len(m.group()), text, flags=re.DOTALL)
        places = list(check_figures.NUMBER.finditer(prose))
        self.assertGreater(len(places), 8)
        for place in places:
            self.assertTrue(self.problems(README_md=text[:place.start()] + "77" + text[place.end():]), place)

    def test_a_number_of_each_page_that_is_changed_is_noticed(self):
        changed = set()
        for page in map(str, sources.files("docs/*.md")):
            text = sources.read(page)
            for place in page_numbers.numbers(text)[::25]:
                other = text[:place.start()] + "7,654,321" + text[place.end():]
                self.assertTrue(self.problems_with({page: other}), f"{page}: {place}")
                changed.add(page)
        self.assertGreater(len(changed), 13)

    def test_a_number_that_is_added_to_a_page_is_named_unless_it_is_small_or_part_of_a_name(self):
        page = "docs/python.md"
        text = sources.read(page)
        self.assertEqual(self.problems_with({page: text + "Takes 10 steps of 255 in 3x3 of ResNet-18, Debian 12 or 13, 2^24, `99`.\n"}), [])
        for number in ("11", "0.5", "-0.75", "1,024", "4096"):
            line = text.count("\n") + 1
            self.assertEqual(self.problems_with({page: text + f"Takes {number}.\n"}),
                             [f"{page}:{line}: no rule of scripts/check_figures.py computes {number.lstrip('-')}"])
        self.assertEqual(self.problems_with({page: text + "Takes 4,096 bytes.\n```sh\nhead -c 4096 x\n```\n"}), [])

    def test_a_number_with_its_unit_attached_is_one(self):
        def found(text):
            return [number.group() for number in page_numbers.numbers(f"Takes {text}.\n")]

        for text, number in {"25MHz": "25", "25-MHz": "25", "1,234ms": "1,234", "1,234,567x": "1,234,567", "12.5x": "12.5", "1,234/s": "1,234",
                             "12.5ms": "12.5", "1e9": "1e9", "2.5e-6": "2.5e-6", "0.071^2": "0.071", "12e": "12", "4096": "4096"}.items():
            self.assertEqual(found(text), [number], text)
        for text in ("224x224", "1,000x20", "12^3", "24-bit", "1,234-bit", "1/300", "resnet18", "3k"):
            self.assertEqual(found(text), [], text)

    def test_a_record_changes_with_its_checksum_only(self):
        text = "# A\n\n*Measured on 2026-01-02, somewhere.*\n\n12.5 ms, 1 run.\n\n# B\n\nNone.\n"
        self.assertEqual(len(list(page_numbers.problems("a.md", text, []))), 1)
        kept = page_numbers.recorded(text, [])
        self.assertRegex(kept, r"\*Measured on 2026-01-02, somewhere\.\* <!-- \w{8} -->\n")
        self.assertEqual(list(page_numbers.problems("a.md", kept, [])), [])
        for other in (kept.replace("12.5", "13.5"), kept.replace("1 run", "2 run"), kept.replace("None", "12")):
            self.assertEqual(len(list(page_numbers.problems("a.md", other, []))), 1, other)
        again = page_numbers.recorded(kept.replace("12.5", "13.5"), [])
        self.assertNotIn("2026-01-02", again)
        self.assertEqual(list(page_numbers.problems("a.md", again, [])), [])

    def test_generated_tables_name_the_test_that_compares_them(self):
        self.assertEqual(list(page_numbers.problems("a.md", "<!-- generated by nobody: table -->\n| 77 |\n<!-- end of table -->\n", [])),
                         ["a.md: GENERATORS of scripts/page_numbers.py lacks 'nobody'"])
        found = set()
        for page in map(str, sources.files("docs/*.md")):
            for table in page_numbers.GENERATED.finditer(sources.read(page)):
                self.assertIn(page, sources.read(page_numbers.GENERATORS[table.group(1)]))
                found.add(table.group(1))
        self.assertEqual(found, set(page_numbers.GENERATORS))

    def test_a_figure_that_changes_in_its_source_is_noticed(self):
        table = json.loads(sources.read(check_figures.TIMING)) | {"routed_mhz": 55.5}
        wrong = check_figures.correct_all(lambda path: json.dumps(table) if path == check_figures.TIMING else sources.read(path))[1]
        self.assertTrue(any("README.md: '" in line and "55.5 MHz" in line for line in wrong), wrong)
        self.assertTrue(any(line.endswith("ms of resnet18 must be 123.3") for line in wrong), wrong)

    def test_a_number_without_a_rule_is_named(self):
        text = sources.read("README.md") + "It takes 42 minutes.\n"
        self.assertEqual(self.problems(README_md=text),
                         [f"README.md:{text.count(chr(10))}: no rule of scripts/check_figures.py computes 42"])

    def test_the_readme_has_few_words_and_two_images(self):
        text = sources.read("README.md")
        self.assertEqual(self.problems(README_md=text + "word " * (601 - len(text.split()))), ["README.md: 601 words, at most 600"])
        self.assertEqual(self.problems(README_md=text.replace("docs/flow.svg", "docs/no.svg")),
                         ["README.md: shows 1 images of the repository, at least 2"])


class CheckRecipes(unittest.TestCase):
    TABLE = "[a/x.def] a thing; at most 1 file and 1 test"
    PATHS = [pathlib.PurePosixPath(path) for path in ("a/x.def", "a/b.cc", "tests/a_test.cc", "tests/support/c.cc")]

    def problems(self, *lines):
        return list(check_recipes.problems(check_recipes.recipes_of("\n".join(lines)), self.PATHS))

    def test_a_recipe_names_files_and_what_enforces_them(self):
        self.assertEqual(self.problems(self.TABLE, "a/x.def\tthe line\tcompiler", "tests/a_test.cc\ta case\treview"), [])
        self.assertEqual(self.problems(self.TABLE, "a/y.cc\tits row\ttests/b_test.cc"),
                         ["a/x.def: no file a/y.cc", "a/x.def: 'tests/b_test.cc' is neither a file nor one of "
                          "compiler, linker, CMake, scripts/check, review"])

    def test_limits_count_files_and_tests_apart(self):
        self.assertEqual(self.problems(self.TABLE, "a/*.cc\t1\tlinker", "tests/support/c.cc\t2\treview"),
                         ["a/x.def: 2 files, at most 1"])
        self.assertEqual(self.problems(self.TABLE, "a/*.cc\t1\tlinker", "?tests/support/c.cc\t2\treview"), [])

    def test_every_def_has_a_recipe_and_every_recipe_a_table(self):
        self.assertEqual(self.problems("[a/z.def] a thing"),
                         ["a/x.def: has no recipe in scripts/recipes.txt", "a/z.def: no such table"])

    def test_a_summary_that_differs(self):
        recipes = check_recipes.recipes_of(self.TABLE)
        text = "# Recipes\n\n" + check_recipes.summary(recipes) + "\nText\n"
        self.assertIn("| a thing | `a/x.def` | 1 and 1 test |\n", text)
        self.assertEqual(list(check_recipes.summary_problems(recipes, text)), [])
        self.assertTrue(list(check_recipes.summary_problems(recipes, text.replace("1 and", "2 and"))))
        self.assertTrue(list(check_recipes.summary_problems(recipes, "# Recipes\n")))

    def test_a_line_without_columns_is_refused(self):
        with self.assertRaisesRegex(ValueError, "recipes.txt:2: expected"):
            check_recipes.recipes_of(self.TABLE + "\na/x.def the line")


if __name__ == "__main__":
    unittest.main()

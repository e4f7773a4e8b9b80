#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How close the sums of `vta-sim profile` are to plain inferences. For each network in fp32 on the host and in int8 on the functional
device: the sum of the rows and the total of a profiled inference. They are in percent of the plain one that ran next to it, over the pairs
that the tool takes by default. Exits with 1 if a sum is further from 100 % than --within, or a total is larger than 100 % and --overhead. A machine that
does other work adds noise to each.

Example:
  tests/benchmarks/profile_sums.py resnet18 squeezenet1.1 --threads 2 --within 5
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NETWORKS = ("resnet18", "resnet34", "resnet50", "resnet101", "resnet18_v2", "resnet34_v2", "resnet50_v2", "resnet101_v2", "vgg11", "vgg16",
            "squeezenet1.0", "squeezenet1.1", "mobilenet", "densenet121", "inception_v3", "mlp", "dcgan")


def forms(arguments):
    fp32 = ["--fp32", "--threads", str(arguments.threads)]
    return {"fp32": fp32} if arguments.threads > 1 else {"fp32": fp32, "int8": ["--device", "functional"]}


def profile(arguments, network, options):
    command = [arguments.build / "bin/vta-sim", "profile", ROOT / f"configs/networks/{network}.json", "--json", *options]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"vta-sim profile {network} {' '.join(options)}: {result.stderr.strip()}")
    return json.loads(result.stdout)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help="of configs/networks (default: ResNets, VGGs, ...)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="build folder (default: build/release)")
    parser.add_argument("--threads", type=int, default=1, help="of fp32 inferences; with more than one no int8 (1)")
    parser.add_argument("--within", type=float, default=2, metavar="PERCENT", help="of a sum (2)")
    parser.add_argument("--overhead", type=float, default=3, metavar="PERCENT", help="of a total (3)")
    parser.add_argument("--no-limits", action="store_true", help="exit with 1 only if a profile fails or a row lacks its hash")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    print("| network | form | pairs | sum, % of plain | standard error | total, % of plain |\n|---|---|---|---|---|---|", flush=True)
    misses = 0
    for network in arguments.networks or NETWORKS:
        for form, options in forms(arguments).items():
            report = profile(arguments, network, options)
            of_sum, total = report["sum_percent_of_plain"], report["total_percent_of_plain"]
            if not report["rows"] or not all(row["hash"] for row in report["rows"]):
                sys.exit(f"{network} in {form}: a row without a hash")
            misses += not arguments.no_limits and (abs(of_sum - 100) > arguments.within or total > 100 + arguments.overhead)
            print(f"| {network} | {form} | {len(report['plain_seconds'])} | {of_sum:.2f} | {report['percent_error']:.2f} | {total:.2f} |", flush=True)
    print(f"{misses} beyond {arguments.within} % of the sum or {arguments.overhead} % of overhead")
    return 1 if misses else 0


if __name__ == "__main__":
    sys.exit(main())

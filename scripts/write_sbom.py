#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes FOLDER/vta-VERSION.spdx.json: the files of a release, and what its wheel has of Debian.

SPDX 2.3 (https://spdx.github.io/spdx-spec/v2.3). The versions of Debian's packages are those that scripts/fetch_wheel_sysroot has
unpacked into the folder --packages. A shared library in the wheel that no package of the tables below accounts for is an error. The time is that of
$SOURCE_DATE_EPOCH.

Example:
  scripts/write_sbom.py build/downloads --version 0.1.0 --commit "$(git rev-parse HEAD)" --packages build/wheel
"""
import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import sys
import zipfile

# What auditwheel takes along: the name of the library without ".so", the package of Debian 11, its licence.
SHARED = {
    "libOpenCL": ("ocl-icd-libopencl1", "BSD-2-Clause"),
    "libboost_context": ("libboost-context1.74.0", "BSL-1.0"),
    "libbz2": ("libbz2-1.0", "bzip2-1.0.6"),
    "libcrypto": ("libssl1.1", "OpenSSL"),
    "libdnnl": ("libdnnl2", "Apache-2.0"),
    "libgomp": ("libgomp1", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "libjpeg": ("libjpeg62-turbo", "IJG AND BSD-3-Clause AND Zlib"),
    "libpng16": ("libpng16-16", "Libpng"),
    "libprotobuf": ("libprotobuf23", "BSD-3-Clause"),
    "libwebp": ("libwebp6", "BSD-3-Clause"),
    "libzip": ("libzip4", "BSD-3-Clause"),
}
# What is compiled or linked into the programs: packages of Debian 12.
STATIC = {
    "libcli11-dev": "BSD-3-Clause",
    "libfmt-dev": "MIT",
    "libonnx-dev": "Apache-2.0",
    "libssl-dev": "Apache-2.0",
    "libstdc++-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "nlohmann-json3-dev": "MIT",
}
# Has code of ONNX Runtime's headers (scripts/fetch_onnxruntime_headers).
PROVIDER = "vta/lib/libvta_onnxruntime_ep.so"


def fail(message):
    sys.exit(f"write_sbom: {message}")


def versions_in(file):
    """The version of each package of a file of lines NAME VERSION [SOURCE]."""
    if not file.is_file():
        fail(f"no {file}: scripts/fetch_wheel_sysroot {file.parent.parent}")
    return dict(line.split()[:2] for line in file.read_text().splitlines())


def shared_libraries(wheel):
    """The names of the libraries that auditwheel has put into a wheel, without its hash and the version."""
    names = set()
    with zipfile.ZipFile(wheel) as members:
        for member in members.namelist():
            if member.startswith("vta.libs/"):
                names.add(re.split(r"(?:-[0-9a-f]{8})?\.so", member.removeprefix("vta.libs/"))[0])
    return names


def debian_packages(wheel, folder):
    """(name, version, licence, release) of each package of Debian that the wheel has something of."""
    older, newer = (versions_in(folder / name / ".versions") for name in ("older", "newer"))
    wanted = [(*SHARED.get(name, (None, None)), "bullseye", older, name) for name in sorted(shared_libraries(wheel))]
    wanted += [(package, licence, "bookworm", newer, package) for package, licence in STATIC.items()]
    with zipfile.ZipFile(wheel) as members:
        if PROVIDER in members.namelist():
            headers = folder.parent / "onnxruntime-headers" / ".versions"
            wanted.append(("libonnxruntime-dev", "MIT", "sid", versions_in(headers), PROVIDER))
    for package, licence, release, versions, what in wanted:
        if package not in versions:
            fail(f"{wheel.name}: {what}: no package of Debian {release} for it; add it to the tables of scripts/write_sbom.py")
        yield package, versions[package], licence, release


def identifier(text):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", text)


def package_entry(name, version, licence, **more):
    return {"SPDXID": identifier(f"{name}-{version}"), "name": name, "versionInfo": version, "licenseDeclared": licence,
            "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION", "downloadLocation": "NOASSERTION", "filesAnalyzed": False, **more}


def debian_entry(name, version, licence, release):
    locator = f"pkg:deb/debian/{name.replace('+', '%2B')}@{version.replace('+', '%2B').replace(':', '%3A')}?arch=amd64&distro={release}"
    return package_entry(name, version, licence, externalRefs=[
        {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}])


def file_entry(path):
    data = path.read_bytes()
    return {"SPDXID": identifier(f"file-{path.name}"), "fileName": f"./{path.name}", "copyrightText": "NOASSERTION",
            "licenseConcluded": "NOASSERTION",
            "checksums": [{"algorithm": name.upper(), "checksumValue": hashlib.new(name, data).hexdigest()} for name in ("sha1", "sha256")]}


def relationship(first, kind, second):
    return {"spdxElementId": first["SPDXID"], "relationshipType": kind, "relatedSpdxElement": second["SPDXID"]}


def sbom_of(folder, version, commit, packages, time):
    files = [file_entry(path) for path in sorted(folder.iterdir())]
    toolkit = package_entry("vta", version, "Apache-2.0", sourceInfo=f"commit {commit}")
    wheels = sorted(folder.glob("vta-*.whl"))
    parts = [debian_entry(*part) for wheel in wheels for part in debian_packages(wheel, packages)]
    contents = hashlib.sha256("".join(entry["checksums"][1]["checksumValue"] for entry in files).encode()).hexdigest()
    document = {"SPDXID": "SPDXRef-DOCUMENT"}
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", **document, "name": f"vta-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/vta-{version}-{contents}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: scripts/write_sbom.py"]},
        "packages": [toolkit, *parts], "files": files,
        "relationships": [relationship(document, "DESCRIBES", toolkit), *(relationship(toolkit, "CONTAINS", part) for part in parts),
                          *(relationship(entry, "GENERATED_FROM", toolkit) for entry in files)],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    for option in ("--version", "--commit"):
        parser.add_argument(option, required=True)
    parser.add_argument("--packages", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    sbom = sbom_of(arguments.folder, arguments.version, arguments.commit, arguments.packages, time)
    (arguments.folder / f"vta-{arguments.version}.spdx.json").write_text(json.dumps(sbom, indent=1) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes what the program is made of, as a CycloneDX 1.5 document.

It takes what cargo says that the program is built from, for all targets of a release together, and the checksums in
Cargo.lock. It looks at no crate's contents and needs nothing but cargo and the crates. The same Cargo.lock gives the same
bytes.

    scripts/sbom.py FILE
"""

import json
import pathlib
import re
import subprocess
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINE = re.compile(r"(\d+)(\S+) v(\S+?)(?: \(.*\))?\|(.*)\|(.*)")


def targets():
    """The targets of a release, from deny.toml, which holds their crates to account."""
    listed = (ROOT / "deny.toml").read_text().split("\ntargets = [")[1].split("]")[0]
    return re.findall(r'"(.+)"', listed)


def tree(target):
    """What is built for a target: (depth, name, version, licence, repository), depth first."""
    command = ["cargo", "tree", "--locked", "--edges", "normal,build", "--no-dedupe", "--prefix", "depth"]
    command += ["--format", "{p}|{l}|{r}", "--target", target]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for line in printed.splitlines():
        depth, *rest = LINE.fullmatch(line).groups()
        yield int(depth), *rest


def checksums():
    found = {}
    for package in (ROOT / "Cargo.lock").read_text().split("[[package]]")[1:]:
        fields = dict(re.findall(r'^(\w+) = "(.*)"$', package, re.MULTILINE))
        if "checksum" in fields:
            found[fields["name"], fields["version"]] = fields["checksum"]
    return found


def component(name, version, licence, repository, kind, checksum):
    described = {
        "type": kind,
        "bom-ref": purl(name, version),
        "name": name,
        "version": version,
        "purl": purl(name, version),
    }
    if checksum:
        described["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if licence:
        # Cargo used to allow a slash for what SPDX calls OR.
        described["licenses"] = [{"expression": re.sub(r"\s*/\s*", " OR ", licence)}]
    if repository:
        described["externalReferences"] = [{"type": "vcs", "url": repository}]
    return described


def purl(name, version):
    return f"pkg:cargo/{name}@{version}"


def document():
    sums = checksums()
    components, needs = {}, {}
    for target in targets():
        above = []
        for depth, name, version, licence, repository in tree(target):
            ref = purl(name, version)
            del above[depth:]
            if above:
                needs[above[-1]].add(ref)
            above.append(ref)
            needs.setdefault(ref, set())
            kind = "library" if depth else "application"
            components[ref] = component(name, version, licence, repository, kind, sums.get((name, version)))
    program = next(ref for ref, found in components.items() if found["type"] == "application")
    described = components.pop(program)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(sorted(needs))).urn,
        "version": 1,
        "metadata": {"component": described},
        "components": [components[ref] for ref in sorted(components)],
        "dependencies": [{"ref": ref, "dependsOn": sorted(needs[ref])} for ref in sorted(needs)],
    }


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    text = json.dumps(document(), indent=2) + "\n"
    file = pathlib.Path(sys.argv[1])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())

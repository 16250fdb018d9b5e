"""Makes the inputs that run.py measures with: packages, records, recordings, target files.

The same arguments give the same bytes, on any machine. Nothing is taken from anywhere: every name and text is made
up here. What a workload is like (how many lines a template has, how long a description is) stands in the constants
below, so that a figure can be traced to what it was measured with.
"""

import json
import pathlib

NOUNS = "account address batch branch budget category claim company contract courier customer depot".split()
KINDS = "archive draft entry history item ledger note plan quote record summary ticket".split()

MANIFEST = """\
name: {package}
extensions: [".{extension}"]
comment_prefix: "#"
transforms:
  type_name: [singular, pascal]
  table_name: [plural, snake]
op_exceptions:
  pascal:
    api: API
"""

FILE_TEMPLATE = """\
class {{name|type_name}} < Entity
  # sedum:anchor:fields

  # sedum:anchor:queries

  def self.table
    "{{name|table_name}}"
  end
end
"""

ACTIONS = """\
actions:
  addField:
    description: Declares one field of the entity.
    kwargs:
      entity: { type: string, required: true }
      field: { type: string, required: true }
    injects_into: "lib/entities/{{entity|snake}}.EXTENSION"
    anchor: fields
  addQuery:
    description: Adds one method that finds or changes entities.
    kwargs:
      entity: { type: string, required: true }
      method: { type: string, required: true }
      mode: { type: string, required: true }
      value: { type: literal, required: false, default: "nil" }
    discriminator: mode
    variants: [read, write]
    injects_into: "lib/entities/{{entity|snake}}.EXTENSION"
    anchor: queries
"""

BODIES = {
    "addField.EXTENSION": "  field :{{field|snake}}\n",
    "addQuery/read.EXTENSION": "  def {{method|snake}}\n    {{entity|type_name}}.where({{value}})\n  end\n",
    "addQuery/write.EXTENSION": "  def {{method|snake}}!\n    change({{value}})\n  end\n",
}

# One action of a large catalog: six described kwargs, as hand-written packages have.
CATALOG_KWARGS = ["entity", "title", "source", "target", "reason", "comment"]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def letters(number):
    """A number as letters, for `snake` puts an underscore between a letter and a digit."""
    text = ""
    while True:
        text = chr(ord("a") + number % 26) + text
        number //= 26
        if number == 0:
            return text


def entity(number):
    """The name of entity `number`: two words that tell nothing apart and letters that do."""
    first = NOUNS[number % len(NOUNS)]
    second = KINDS[number // len(NOUNS) % len(KINDS)]
    return f"{first}_{second}_{letters(number)}"


def package(root, name, extension, catalog=0):
    """A package with one file template, two actions, and `catalog` further ones."""
    folder = root / name
    write(folder / "sedum.yaml", MANIFEST.format(package=name, extension=extension))
    write(folder / f"files/lib/entities/{{name}}.{extension}", FILE_TEMPLATE)
    for path, body in BODIES.items():
        write(folder / "actions" / path.replace("EXTENSION", extension), body)
    declared = [ACTIONS.replace("EXTENSION", extension)]
    for number in range(catalog):
        action = f"addPart{letters(number).title()}"
        kwargs = "".join(
            f'      {kwarg}: {{ type: string, required: true, description: "the {kwarg} of the part" }}\n'
            for kwarg in CATALOG_KWARGS
        )
        declared.append(
            f"  {action}:\n"
            f"    description: Adds part number {number} of the catalog to an entity.\n"
            f"    kwargs:\n{kwargs}"
            f'    injects_into: "lib/entities/{{{{entity|snake}}}}.{extension}"\n'
            f"    anchor: queries\n"
        )
        line = " ".join(f"{{{{{kwarg}|snake}}}}" for kwarg in CATALOG_KWARGS)
        write(folder / "actions" / f"{action}.{extension}", f"  # {line}\n")
    write(folder / "actions/actions.yaml", "".join(declared))


def invocation(name, number):
    """Invocation `number` of one entity: two queries to a field."""
    if number % 3 == 2:
        return {"action": "addField", "kwargs": {"entity": name, "field": f"field_{letters(number)}"}}
    mode = "read" if number % 3 == 0 else "write"
    kwargs = {"entity": name, "method": f"step_{letters(number)}", "mode": mode, "value": f":value_{number}"}
    return {"action": "addQuery", "kwargs": kwargs}


def recording(packages, records):
    """A recording of records, each an id, its files and its invocations."""
    return {
        "sedum_version": "0.3.0",
        "packages": packages,
        "records": [
            {"record_id": name, "files": files, "phases": [{"name": "default", "invocations": invocations}]}
            for name, files, invocations in records
        ],
    }


def tree(out, files, invocations, records=10):
    """`files` files of `invocations` invocations each: generators, records and scaffold.json below `out`."""
    package(out / "generators", "entities", "ent")
    spread = []
    for number in range(min(records, files)):
        names = [entity(at) for at in range(number, files, min(records, files))]
        paths = [f"lib/entities/{name}.ent" for name in names]
        record = f"bench-{number:03}"
        write(
            out / "records" / f"{record}.yml",
            f"id: {record}\ntitle: Entities of group {number}\nintent: |\n  Keep the entities of one group together.\n"
            "constraints:\n  - Names stay as they are.\naffected_scope:\n"
            + "".join(f"  - {path}\n" for path in paths)
            + "forbidden_scope:\n  - private/\n",
        )
        recorded = [
            {"path": path, "package": "entities", "template": "lib/entities/{name}.ent", "captures": {"name": name}}
            for path, name in zip(paths, names)
        ]
        calls = [invocation(name, at) for name in names for at in range(invocations)]
        spread.append((record, recorded, calls))
    content = recording({"entities": {"extensions": [".ent"]}}, spread)
    write(out / "scaffold.json", json.dumps(content, indent=2) + "\n")


def catalog(out, packages, actions):
    """`packages` packages of `actions` actions each, two of which every package has."""
    for number in range(packages):
        package(out / "generators", f"catalog{number:02}", f"e{number:02}", max(actions - 2, 0))


def large_file(out, mebibytes):
    """A target file of so many MiB with one region in its middle that a replay replaces, and the recording."""
    folder = out / "generators" / "journal"
    write(folder / "sedum.yaml", 'name: journal\nextensions: [".log"]\ncomment_prefix: "#"\n')
    write(
        folder / "actions/actions.yaml",
        "actions:\n  setTotal:\n    kwargs:\n      name: { type: string, required: true }\n"
        "      total: { type: int, required: true }\n    identity: [name]\n"
        "    injects_into: journal.log\n    anchor: totals\n",
    )
    write(folder / "actions/setTotal.log", "total {{name}} = {{total}}\n")
    record = {"path": "journal.log", "package": "journal", "template": "", "captures": {}}
    call = {"action": "setTotal", "kwargs": {"name": "all", "total": 2}}
    content = recording({"journal": {"extensions": [".log"]}}, [("bench", [record], [call])])
    write(out / "scaffold.json", json.dumps(content, indent=2) + "\n")
    lines = mebibytes * (1 << 20) // 64
    region = (
        "# sedum:anchor:totals\n"
        '# sedum:setTotal {"tier":"owned","record":"bench","kwargs":{"name":"all","total":1}}\n'
        "total all = 1\n# /sedum:setTotal\n"
    )
    path = out / "target" / "journal.log"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, lines, 4096):
            if start == lines // 2 // 4096 * 4096:
                file.write(region)
            end = min(start + 4096, lines)
            file.write("".join(f"entry {at:010} " + "of the journal, nothing to see here, move".ljust(46, ".") + "\n" for at in range(start, end)))

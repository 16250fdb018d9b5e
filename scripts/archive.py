#!/usr/bin/env python3
"""Writes the archives of a release, and their checksums.

It decides how bytes are laid out, so that the same files give the same archive: names are sorted, owners are 0, times are
the one that is given, modes are 644 or 755. What goes into an archive is package.sh's to decide.

    scripts/archive.py pack FOLDER ARCHIVE SECONDS    a .tar.gz or .zip of FOLDER, every time in it SECONDS since 1970
    scripts/archive.py unpack ARCHIVE FOLDER
    scripts/archive.py checksums FOLDER               writes FOLDER/checksums.txt over the archives in it (Z5)
"""

import gzip
import hashlib
import io
import pathlib
import sys
import tarfile
import time
import zipfile


def entries(folder):
    """The folder and everything below it, as (name in the archive, path), sorted by name."""
    paths = [folder, *folder.rglob("*")]
    return sorted((path.relative_to(folder.parent).as_posix(), path) for path in paths)


def is_program(name):
    return name.count("/") == 1 and name.endswith(("/sedum", "/sedum.exe"))


def mode(name, path):
    return 0o755 if path.is_dir() or is_program(name) else 0o644


def tar_gz(folder, seconds):
    packed = io.BytesIO()
    # The level and an empty name are given, because both are written into the head.
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, compresslevel=9, mtime=seconds) as stream:
        with tarfile.open(mode="w", fileobj=stream, format=tarfile.USTAR_FORMAT) as archive:
            for name, path in entries(folder):
                entry = tarfile.TarInfo(name)
                entry.mtime = seconds
                entry.mode = mode(name, path)
                if path.is_dir():
                    entry.type = tarfile.DIRTYPE
                    archive.addfile(entry)
                else:
                    data = path.read_bytes()
                    entry.size = len(data)
                    archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


def zipped(folder, seconds):
    packed = io.BytesIO()
    # A zip knows no time before 1980, and no zone.
    stamp = max(time.gmtime(seconds)[:6], (1980, 1, 1, 0, 0, 0))
    with zipfile.ZipFile(packed, "w") as archive:
        for name, path in entries(folder):
            if path.is_dir():
                continue
            entry = zipfile.ZipInfo(name, stamp)
            entry.create_system = 3
            entry.external_attr = mode(name, path) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes(), compresslevel=9)
    return packed.getvalue()


def pack(folder, archive, seconds):
    folder, seconds = pathlib.Path(folder), int(seconds)
    links = [str(path) for path in folder.rglob("*") if path.is_symlink()]
    if links:
        sys.exit(f"archive: {links[0]} is a link, and an archive holds none")
    write = zipped if archive.endswith(".zip") else tar_gz
    pathlib.Path(archive).write_bytes(write(folder, seconds))


def unpack(archive, folder):
    if archive.endswith(".zip"):
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(folder)
    else:
        with tarfile.open(archive) as opened:
            opened.extractall(folder)


def checksums(folder):
    folder = pathlib.Path(folder)
    archives = sorted([*folder.glob("sedum_*.tar.gz"), *folder.glob("sedum_*.zip")])
    if not archives:
        sys.exit(f"archive: there is no archive in {folder}")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in archives]
    (folder / "checksums.txt").write_bytes("".join(lines).encode())


COMMANDS = {"pack": pack, "unpack": unpack, "checksums": checksums}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[sys.argv[1]](*sys.argv[2:])

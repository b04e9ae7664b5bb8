"""A sequential test between two revisions of an engine, built and played on the workers of Dask."""

import fcntl
import hashlib
import io
import os
import shlex
import shutil
import socket
import subprocess
import tarfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import distributed

from secateurs import EngineError
from secateurs._arguments import path as text_of
from secateurs._arguments import wrong_type
from secateurs._matches.players import Player
from secateurs._matches.result import Match
from secateurs.dask._match import match_of
from secateurs.dask._workers import current

if TYPE_CHECKING:
    from secateurs._native import _AnyLimit, _AnyPosition

# The lines of a failed build in its error.
LINES = 20


class Revision(NamedTuple):
    """A revision: its name in the match, its files, as the future of a tar archive, and the command that builds it."""

    name: str
    archive: Any
    build: str | None


def regress(
    revisions: str,
    command: str | Sequence[str] | Player,
    position: "_AnyPosition | None" = None,
    limit: "_AnyLimit | None" = None,
    *,
    build: str | None = None,
    repo: str | os.PathLike[str] = ".",
    sprt: tuple[float, float] = (-5, 0),
    client: distributed.Client | None = None,
    **settings: Any,
) -> Match:
    """Tests two git revisions of an engine against each other, as ``secateurs regress`` does, on the workers of Dask.

    Workers need no repository: they get the files of both revisions (those of ``git archive``), and each machine builds
    them once, in the folder of Dask's temporary files. What is not committed is not tested.

    :param revisions: ``"BASE..HEAD"``; ``"BASE"`` is compared with ``HEAD``. The first player of the match is the
        second one.
    :param command: the engine: a command line, its words, or a :class:`Player` of these; a program with a folder in its
        name is one of the revision, as ``"target/release/engine"``.
    :param build: the shell command that builds a revision.
    :param repo: the repository on this machine, or a folder in it.
    :param sprt: two Elo differences; the default accepts H1 if the second revision is not weaker.
    :param settings: the arguments of :func:`match`.
    :raises ValueError: ``revisions`` names no two commits of the repository, or as for :func:`match`.
    :raises EngineError: a build failed on a worker, or a command cannot be started there.
    """
    client = current(client)
    if not isinstance(revisions, str):
        raise wrong_type("revisions", "a str", revisions)
    base, _, head = revisions.partition("..")
    if not base or head.startswith("."):
        raise ValueError(f"revisions is BASE..HEAD, not {revisions!r}")
    player = command if isinstance(command, Player) else Player(command)
    words = shlex.split(player.who) if isinstance(player.who, str) else player.who
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words) or not words:
        raise wrong_type("command", "a command line, a list of its words or a Player of these", player.who)
    found = [commit_of(repo, name) for name in (head or "HEAD", base)]
    if found[0][1] == found[1][1]:
        raise ValueError(f"{base} and {head or 'HEAD'} are the same commit")
    built, players = {}, {}
    # In a folder of the repository, only its files would be taken.
    top = Path(repo, git(repo, "rev-parse", "--show-cdup").decode().strip())
    for name, commit in found:
        files = git(top, "archive", "--format=tar.gz", commit) if git(top, "ls-tree", commit) else b""
        built[name] = Revision(name, client.submit(bytes, files, pure=False), build)
        players[name] = replace(player, who=list(words), name=name)
    return match_of(client, players, position, limit, {"sprt": sprt, **settings}, built)


def commit_of(repo: str | os.PathLike[str], name: str) -> tuple[str, str]:
    """Returns the name of a revision in the match, and its commit."""
    commit = git(repo, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}").decode().strip()
    return (commit[:10] if commit.startswith(name) else f"{name}-{commit[:10]}"), commit


def git(repo: str | os.PathLike[str], *words: str) -> bytes:
    """Returns what git prints.

    :raises ValueError: it failed.
    """
    # A git hook points its programs to its own repository.
    clean = {
        name: value for name, value in os.environ.items() if name not in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
    }
    ran = subprocess.run(["git", "-C", text_of("repo", repo), *words], capture_output=True, env=clean, check=False)
    if ran.returncode:
        reason = ran.stderr.decode(errors="replace").strip() or f"{words[-1]} is not a revision of it"
        raise ValueError(f"repo {os.fspath(repo)}: {reason}")
    return ran.stdout


def with_programs(given: dict[str, Any], built: dict[str, Revision]) -> dict[str, Any]:
    """Returns the arguments of a match with the programs that this worker has built."""
    players = {}
    for name, player in given["players"].items():
        program, *words = player.who
        folder = folder_of(built[name])
        players[name] = replace(player, who=[str(folder / program) if os.path.dirname(program) else program, *words])
    return {**given, "players": players}


def folder_of(revision: Revision) -> Path:
    """Returns the folder of a revision, which the first process of this machine that needs it builds."""
    digest = hashlib.sha256(revision.archive + (revision.build or "").encode()).hexdigest()[:16]
    folder = Path(distributed.get_worker().local_directory).parent / f"secateurs-{digest}"
    with open(f"{folder}.lock", "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.exists():
            return folder
        draft = Path(f"{folder}.draft")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        if revision.archive:
            # Links may lead anywhere, as in a checkout.
            with tarfile.open(fileobj=io.BytesIO(revision.archive)) as files:
                files.extractall(draft, filter="tar")
        if revision.build is not None:
            ran = subprocess.run(
                revision.build, shell=True, cwd=draft, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, check=False,
            )  # fmt: skip
            if ran.returncode:
                last = "\n".join(ran.stdout.decode(errors="replace").splitlines()[-LINES:])
                where = f"{revision.name}: the build on {socket.gethostname()} ended with code {ran.returncode}"
                raise EngineError(f"{where}\n{last}")
        draft.rename(folder)
    return folder

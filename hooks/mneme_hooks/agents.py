"""Which coding agents a repository shows signs of; the agents are rows of ``agents.toml``."""

import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct


class Agent(Struct, frozen=True, forbid_unknown_fields=True):
    """One coding agent: its stable name, its title, and paths in a repository that give it away."""

    name: str
    title: str
    signs: tuple[str, ...]


class Detected(Struct, frozen=True):
    """An agent and the first sign of it that was found."""

    agent: Agent
    sign: str


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    agent: tuple[Agent, ...]


@cache
def agents() -> tuple[Agent, ...]:
    """Return every agent, in the order of the table; a row of the wrong shape stops the program."""
    text = files("mneme_hooks").joinpath("agents.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _Table).agent


def detect(exists: Callable[[str], bool]) -> tuple[Detected, ...]:
    """Return the agents whose signs exist, in the order of the table.

    ``exists`` answers for a path relative to the repository.
    """
    return tuple(
        Detected(agent, sign)
        for agent in agents()
        if (sign := next((path for path in agent.signs if exists(path)), None)) is not None
    )

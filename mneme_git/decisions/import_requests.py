"""What a person asks of an import beside the folder, checked before anything is read."""

import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from mneme_git.errors import InvalidInput
from mneme_git.model.adr_import import ImportOptions
from mneme_git.text.quoting import quoted

_PIN = re.compile(r"(?P<id>ADR-[0-9]+)=(?P<version>dver-[0-9a-f]{32})", re.ASCII)
_ANY_PIN = re.compile(r"(?P<id>.+)=(?P<version>dver-[0-9a-f]{32})", re.ASCII | re.DOTALL)


class Requests(Struct, frozen=True, kw_only=True):
    """The options as they were typed; ``pins`` are texts of the form ``ADR-7=dver-...``."""

    apply: bool = False
    update_existing: bool = False
    partial: bool = False
    approve_conflicts: bool = False
    preserve: tuple[str, ...] = ()
    release: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()


def parse_requests(asked: Requests, *, any_id: bool) -> ImportOptions:
    """Return the options; the checks come in the order of the format, section 6.1.

    ``any_id`` allows pins of ids that are not of the form ``ADR-7``, which a git store may have.

    Raises:
        InvalidInput: the first that is not right.
    """
    pins = _pins(asked.pins, _ANY_PIN if any_id else _PIN)
    changes = asked.apply and asked.update_existing
    if pins and not changes:
        raise InvalidInput("--expected-predecessor is valid only with --apply --update-existing")
    for name, rule_ids in (("preserve", asked.preserve), ("release", asked.release)):
        twice = sorted(rule_id for rule_id, times in Counter(rule_ids).items() if times > 1)
        if twice:
            raise InvalidInput(f"--{name}-protection names {twice} more than once")
    both = sorted(set(asked.preserve) & set(asked.release))
    if both:
        raise InvalidInput(f"{both} named by both --preserve-protection and --release-protection")
    if (asked.preserve or asked.release) and not changes:
        raise InvalidInput(
            "--preserve-protection and --release-protection are valid only with --apply --update-existing"
        )
    return ImportOptions(
        update_existing=asked.update_existing,
        partial=asked.partial,
        approve_conflicts=asked.approve_conflicts,
        preserve=asked.preserve,
        release=asked.release,
        pins=pins,
    )


def _pins(texts: Sequence[str], pattern: re.Pattern[str]) -> tuple[tuple[str, str], ...]:
    pins: dict[str, str] = {}
    for text in texts:
        found = pattern.fullmatch(text)
        if found is None:
            raise InvalidInput(
                f"--expected-predecessor {quoted(text)} must be ADR-ID=dver-<32 hex> "
                "(for example ADR-012=dver-0123...)"
            )
        if found["id"] in pins:
            raise InvalidInput(f"--expected-predecessor names {found['id']} more than once")
        pins[found["id"]] = found["version"]
    return tuple(sorted(pins.items()))

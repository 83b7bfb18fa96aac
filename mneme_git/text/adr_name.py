"""How the existing format tells by its name which decision an ADR file is."""


def names_its_decision(path: str, decision_id: str) -> bool:
    """Tell whether an ADR file is named ``<id>.md`` or ``<id>-….md`` (the suffix in any case)."""
    name = path.rsplit("/", 1)[-1]
    stem, suffix = name[:-3], name[-3:]
    return suffix.lower() == ".md" and (stem == decision_id or stem.startswith(f"{decision_id}-"))

"""Use cases: load, call a pure room, save."""

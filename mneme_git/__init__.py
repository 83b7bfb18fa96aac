"""Git-native memory for a codebase: decisions, memories and the rules that follow from them."""

__version__ = "0.1.0"

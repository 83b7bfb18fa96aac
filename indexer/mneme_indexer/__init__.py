"""The code index: symbols and references by git blob id. Knows no mneme record."""

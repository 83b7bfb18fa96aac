"""Pure text: knows no record."""

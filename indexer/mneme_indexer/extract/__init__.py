"""From the bytes of one file to its symbols, references and imports."""

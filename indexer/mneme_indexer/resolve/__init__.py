"""From uses of names to edges between symbols. Pure: it reads a project through a protocol."""

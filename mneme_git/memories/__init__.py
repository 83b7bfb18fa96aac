"""Memory records in; records and plans out. Pure."""

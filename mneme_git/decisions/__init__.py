"""Decision records in; findings, plans and text out. Pure."""

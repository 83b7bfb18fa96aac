"""Git hooks and coding-agent hooks: what is there, and plans for what to add."""

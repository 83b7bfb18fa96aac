"""The records everything else speaks in; pure, and only over msgspec."""

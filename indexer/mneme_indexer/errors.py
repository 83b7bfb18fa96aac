"""What the index reports as expected errors; the callers of this library word them for their users."""


class IndexerError(Exception):
    """Something that a caller can meet. ``hint`` says what to do next."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class IndexUnusable(IndexerError):
    """The index file can neither be opened nor built anew."""


class Cancelled(IndexerError):
    """The caller asked to stop; what was parsed so far is kept."""

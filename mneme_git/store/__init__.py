"""Git and files: the only room that opens a repository."""

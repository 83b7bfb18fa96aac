"""Every difference between languages, as data: a row in ``languages.toml`` and query files."""

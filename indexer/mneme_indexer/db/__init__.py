"""The index file: what each blob holds, which blobs make a view, where each term stands. All SQL is here."""

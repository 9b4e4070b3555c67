"""Read the records of files: text, JSON documents, tables, archives, compressed or not."""

"""What a file does to audits: objects put out, writers that leave something out."""

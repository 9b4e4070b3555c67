"""Reject answers that say nothing, and find answers that address the judge."""

"""Audits: probes that a judge must stand, and how often it does not."""

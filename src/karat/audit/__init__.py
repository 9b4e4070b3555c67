"""Audits: attacks and consistency tests (probes) for judges, and how often they succeed."""

"""The figures of a report, as pure functions of scored rows."""

"""Rate limits: how many calls may be sent to an endpoint, and how fast."""

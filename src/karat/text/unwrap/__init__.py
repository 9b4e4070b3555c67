"""Take an answer out of what a system delivers around it."""

"""Extract an answer from the text that a system delivers around it."""

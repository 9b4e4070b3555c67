"""The wire formats of OpenAI and Anthropic, for single calls and for batches."""

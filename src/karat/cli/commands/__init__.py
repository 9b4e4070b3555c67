"""The commands of karat, one file for each."""

"""How fast and how many calls may go to an endpoint."""

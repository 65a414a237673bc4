"""What we do: anything that chooses an action."""

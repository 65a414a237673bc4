"""What we think: beliefs about opponents."""

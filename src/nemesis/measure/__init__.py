"""How we know: intervals, results, fitness, adaptation, belief quality, speed, pictures."""

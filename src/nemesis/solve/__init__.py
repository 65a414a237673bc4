"""What is possible at best: game trees, policies, exact ceilings, equilibria, searched counter-strategies."""

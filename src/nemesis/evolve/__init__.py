"""How it improves: learners that ask for fitness and are told it."""

"""Where hands happen: the loop, matches, tables, tournaments, workers, records of what was played."""

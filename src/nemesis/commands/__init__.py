"""What can be typed after `nemesis`: one file for each group of commands."""

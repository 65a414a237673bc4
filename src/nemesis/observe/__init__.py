"""What may be seen: views and events for one seat, finished hands, and their file formats."""

"""What was claimed: one short declaration per published table or figure."""

"""What paipu costs, as ratios to raw limits and to peers. README.md says how to read it."""

"""Made-up games: a wall is shuffled, bots choose among the legal actions, the engine judges.

All randomness of the project's games lives here, outside the rules, and comes from one seed.
"""

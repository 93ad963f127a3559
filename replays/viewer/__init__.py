"""What the replay viewer shows: frames of a hand, events in words, what the hand came to."""

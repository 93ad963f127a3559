"""The write side: the append-only log and everything that follows from it as fact."""

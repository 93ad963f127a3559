"""Many games at once: a file is received whole, then recorded game by game by the workers."""

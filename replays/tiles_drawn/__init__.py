"""The faces of the tiles, drawn by the project itself: no font and no foreign art."""

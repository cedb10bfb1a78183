"""The demo, and games at the terminal."""

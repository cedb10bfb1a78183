"""What a newcomer sees first: the demo, and games at the terminal."""

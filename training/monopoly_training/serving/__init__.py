"""Pages that a local server sends: who may ask for them, their files, messages, the server's life."""

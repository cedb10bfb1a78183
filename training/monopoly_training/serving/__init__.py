"""The local web server: access control, files, messages, lifetime."""

"""The local web server: access control, pages, and its lifetime."""

"""Rendering to text, SVG, pixels and a window; imported only when used.

``board.json`` has the geometry and the colors, ``fonts/metrics.json`` the widths of letters;
``scene.py`` says what a picture shows, ``picture.py`` lays it out.
"""

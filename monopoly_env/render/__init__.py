"""Rendering to text, SVG, pixels and a window; imported only when used.

``board.json`` has the geometry and the colors, ``fonts/metrics.json`` the widths of letters.
``scene.py`` determines the content of a picture, ``picture.py`` its layout.
"""

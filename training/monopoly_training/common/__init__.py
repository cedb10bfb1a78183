"""What every room uses: settings from YAML, lists of bots, progress and notices, whole files."""

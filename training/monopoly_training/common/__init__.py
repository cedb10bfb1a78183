"""What every room uses: schemas of YAML files, progress on a terminal, files that are whole or not there."""

"""Compiling ahead of time: part by part, or in processes beside others."""

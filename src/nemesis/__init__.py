"""Nemesis: opponent modelling and exploitation in poker."""

__version__ = "0.1.0"

"""The lab's language of shapes: functions that turn numbers into strings of SVG. They know nothing of the browser.

Colours are the variables of `assets/lab.css`, so that a drawing follows the theme. Whatever text comes from outside is
escaped here.
"""

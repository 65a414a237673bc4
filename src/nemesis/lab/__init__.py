"""The laboratory in the browser: `nemesis lab` serves its pages, `frame` is what they share, `pages` lists them."""

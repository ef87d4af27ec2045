"""Looking at a game again: what a record tells, moment by moment.

`frames` makes the moments; `page` draws them into one file for a browser, from page.html, page.css and page.js.
"""

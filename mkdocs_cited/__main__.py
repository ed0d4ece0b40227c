"""`python -m mkdocs_cited`: the command line."""

from mkdocs_cited.cli import main

if __name__ == "__main__":
    main(prog_name="mkdocs-cited")

"""`python -m mkdocs_cited.cli`: the command line."""

from mkdocs_cited.cli import main

if __name__ == "__main__":
    main(prog_name="mkdocs-cited")

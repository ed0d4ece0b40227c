"""What is damaged: honest texts of every kind that the package reads."""

from __future__ import annotations

from mkdocs_cited.sources.snapshots import Snapshot, encode

FRONT_MATTER = (
    """---
title: FAQ
lang: en
answers:
  - question: How do I rotate an API key?
  - id: limits
    question: What are the rate limits?
    queries: [requests per minute, throttling]
    sources: [api/*.md, "!api/legacy.md"]
    provider: anthropic
  - id: why
    question: Why another plugin?
    text: >
      It is checked on every build [@guide/review.md#when-it-runs] and needs no key.
---
# FAQ

<!-- answer: limits -->

```
<!-- answer: why -->
```
""",
    "---\nanswers: &a\n  - {question: Why?, id: why, format: table}\nx: *a\n---\nText.\n",
    "---\ntitle: A\nauthor: &x [a, b]\nauthors: *x\nstatus: deprecated\n---\nanswers: no\n\n- <!-- answer: x -->\n",
)

YAML = (
    "a: &x [1, 2.5, true, null, 2026-01-01]\nb: *x\nc: {d: 'e', \"f\": |\n  g\n}\n",
    "findings:\n  - {slug: partial-claim, answer: faq.md#q, claim: 0123456789abcdef, reason: Was there before.}\n",
    "version: 1\nfindings:\n- slug: missing-answer\n  reason: x\n  claim: abc\n",
    "base: &b {x: 1}\nmore:\n  <<: *b\n  y: !!str 2\n? complex\n: value\n",
)

TEXTS = (
    "The limit is 60 requests per minute. Bursts of 10 are allowed, e.g. at 12:30 on 2026-03-01 (UTC).",
    "Set `--limit 5` in config.toml; v1.2.3 and later need 16 GB, never 1,000.5 MB or half of that.",
    "Das Limit liegt bei sechzig Anfragen je Minute, nicht bei 3,5 GB oder 1.000 €. Es gilt z. B. sonntags.",
    "既定値は五回です。変更できます。ไม่ได้ 日本語 עברית \u202e العربية 👩\u200d🚀 e\u0301.",
    'def f(x: int) -> str:\n    """Return.\n\n    More."""\n    # A comment\n    return \'x\' * 3\n\nLIMIT = 60\n',
    "| Option | Default |\n|---|---|\n| `--limit` | 60 |\n\nTerm\n:   Its meaning.\n",
)

ANSWERS = (
    "The limit is 60 requests per minute.[^1] Bursts of 10 are allowed.[^2]\n\n- One.[^1]\n- Two `code`.[^2]\n",
    "Run this:[^1]\n\n```bash\npip install client[^1]\n```\n\n1. Open **settings**.[^1]\n2. See [limits](guide/limits.md).\n",
    "| a | b |\n|---|---|\n| 1[^1] | 2[^2] |\n\n> A quote “with” marks.[^1]\n\n### Heading\n\nEnd.[^1][^2]\n",
    'It works [[S:1]] and [[S:1,2-3]], see [@guide/limits.md#limits] or <https://x.example/> ![i](a.png "t").\n',
    '<p>Sixty <a href="../guide/">a minute</a>.[^1]</p><ul><li>One<sup>2</sup>[^1]</li></ul><pre><code>x</code></pre>',
    "flowchart TD\n  a[Run] --> b{Done?}\n  b -- yes --> c\n",
    '{"limit": 60, "rows": [{"a": null}, "b", 1.5, true]}',
)

HTML = (
    "<h1 id='a'>A</h1><p>One. Two <code>x y</code> three.</p><ul><li>Item<p>More</p></li></ul><pre><code>a\nb</code></pre>",
    "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table><dl><dt>T</dt>"
    "<dd>Meaning.</dd></dl><div class='admonition note'><p class='admonition-title'>Note</p><p>Text.</p></div>",
    "<h2 id='b'>B<a class='headerlink' href='#b'>¶</a></h2><p hidden>no</p><p style='display:none'>no</p><abbr title='Long'>S"
    "</abbr><sup id='fnref:1'><a class='footnote-ref' href='#fn:1'>1</a></sup><details><summary>S</summary><p>D</p></details>",
    "<div class='highlight'><table class='highlighttable'><tr><td class='linenos'>1</td><td><pre><span></span><code>a = 1"
    " <span class='c1'># (1)!</span></code></pre></td></tr></table></div><ol><li>Note</li></ol><img src='x.png' alt='y'>",
    "<main><article class='md-content__inner'><p>Deep <b><i><span>text</span></i></b> &amp; <kbd>Ctrl</kbd></p></article></main>",
)

CLAIMS = (
    "The limit is 60 requests per minute.\nThe limit is 60 requests per minute. Bursts of 10 are allowed.",
    "Keys never expire.\nA key is valid for 90 days, unless it is rotated before 2026-03-01.",
    "Only admins can set `--limit` to 5 GB in v2.1.\nAdmins must not set --limit above 5,000 MB before version 2.1.",
    "Das Limit gilt nicht.\nDas Limit liegt bei 3,5 GB und gilt nur sonntags um 12:30 Uhr.",
    '{"claim": "A.", "passages": ["A."], "label": true, "kind": "x"}\n{"claim": "B.", "passage": "C.", "label": 0}',
)

QUESTIONS = (
    "How do I rotate an API key?",
    "What are the rate limits for `--limit` in v2.1 and 5 GB?",
    "Was ist das Limit je Minute?",
    'limit AND "rate" OR NEAR(a b) NOT x* ^y -z +w (q:r)',
    "既定値は何回ですか",
)

OPTIONS = (
    "provider: anthropic\nreviewer: anthropic\nmodels: [anthropic]\nanthropic: {max_cost: 5, timeout: 10}\n",
    "severity: {partial-claim: error, missing-answer: off}\nsuppress: [{slug: low-coverage, reason: x, expires: 2027-01-01}]\n",
    "extra_sources: [{type: note, glob: notes/*.md, name: Handbook}]\nreports: {sarif: a.sarif}\n",
    "cite_threshold: 0.4\ninclude: [a/*.md]\nexclude: ['!b']\nheading: 3\nupdate: never\nlexical: {passes: 0.8, fails: .1}\n",
)

RECORDS = (
    """---
version: 1
question: What are the rate limits?
provider: anthropic
model: claude-sonnet-5-5
written_on: 2026-01-01
declaration: 0123456789abcdef
generated: 0123456789abcdef
reviewed: 0123456789abcdef
reviewer: lexical
citations:
  - sid: 1
    passage: guide/limits.md#limits~abcdef
    hash: 0123456789abcdef
    quote: The limit is 60 requests per minute.
verdicts:
  - claim: The limit is 60.
    key: 0123456789abcdef
    verdict: supported
    score: 0.98
    reviewer: person:Jo
    date: 2026-01-02
approval: {by: Jo, date: 2026-01-02, text: 0123456789abcdef}
consulted: [guide/limits.md#limits~abcdef]
spend: {calls: 1, input_tokens: 100, cost: 0.01}
---

The limit is 60 requests per minute.[^1]
""",
    """---
version: 2
question: Claims of start.md
provider: authored
verdicts:
  - claim: It needs Python 3.11 or newer.
    key: 7ipv7mmol7r7ao2t
    verdict: supported
    score: 1.0
    reviewer: person:maintainers
    date: '2026-11-23'
    beside: qirgyt7p
---
""",
    "---\nversion: 1\nquestion: Why?\nabstained: true\nreason: It is not said.\nrejected: [a, b]\n---\n",
    '---\nversion: 1\nquestion: Why?\ncitations: [{sid: 1, passage: notes/a.md#b~c, hash: x, type: note}]\n---\n\n{"a": 1}\n',
)

CONFIGURATIONS = (
    "site_name: A\nplugins:\n  - search\n  - blog:\n      enabled: true\n  # the last\ntheme: {name: material}\n",
    "site_name: A\nplugins: [search, {tags: {tags_file: a.md}}]\nnav:\n  - a.md\n",
    "site_name: A\nplugins:\n  search: {}\n  tags:\nextra: &x {a: !ENV [B, c]}\nmore: *x",
    "site_name: A\nplugins: {search: {}}\n\n",
    "site_name: A\n",
)

SNAPSHOTS = (
    '---\nformat: 1\nurl: "https://a.example/b"\ntitle: "A"\nfetched: "2026-01-01"\nhash: "0123456789abcdef"\n---\n\n# A {#a}\n',
    encode(Snapshot(url="https://a.example/b", title="A", fetched="2026-01-01", body=
        "# A {#a}\n\nOne `x`.\nTwo.\n\n- Item\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```py\nx = 1\n```\n")).decode(),
)  # fmt: skip

PROSE = (
    "# A\n\nThe TTL is 30 seconds [@../src/app.py#TTL].\n\n- Item one [@b.md#c]\n- **Two** [@!../x.toml#a.b] and more [@c.md].\n",
    "| what | default |\n|---|---|\n| `--ttl` | 30 [@../src/app.py#main.ttl] |\n| other | 5 GB [@b.md#c; d.md#e] |\n\n> Quoted [@b.md#c].\n",
    "!!! note\n\n    A box says 60 [@b.md#c].\n\n1. One\n\n    Two <b>bold</b> [@b.md#c]\n\nTerm\n:   Means 7 [@#here].\n\n[@a]: b\n",
    "```\ncode [@b.md#c]\n```\n<!-- no [@b.md#c] -->\n<div>\nraw [@b.md#c]\n</div>\n\n`x [@b.md#c]` y [@b.md#c]. Line\n[@b.md#d]\n",
    "The limit is 60 requests per minute. Set `--limit` to 5 GB. Keys last 90 days, as of v2.1.\n\nHead\n====\n\n{: .x } a [@/b.md]\n",
)
"""Pages whose sentences carry marks, or could."""

CODE = (
    'import click\nTTL = 30\nTTL: int = 60 * 60\nclass A(B):\n    """Doc."""\n    x: int = field(default=3)\n    def f(self, a=1, *, b: str = "c") -> int:\n'
    '        """Help.\n\n        More."""\n@click.option("--ttl/--no-ttl", default=5, help="x")\ndef main(ttl): ...\np.add_argument("-n", "--num", default=1)\n',
    '[project]\nrequires-python = ">=3.11"\n[tool."a.b"]\nc.d = {x = 1, y = [1, 2]}\n[[e]]\nf = 2026-01-01\n[[e]]\ng = """\n[h]\n"""\n',
    '{"paths": {"/keys": {"get": {"a~b": [1, 2.5e3, null, true]}}}, "x": "\\u00e9", "x": 2}\n',
    "# A=1\nexport A=\"30\" # x\nB='a # b'\nC=${A:-5}\nD=\n  E = f g \nA=31\n",
    "defaults: &d {ttl: 30s, on: yes}\nprod:\n  <<: *d\n  ttl: 60s\n---\nlist: [1, {a: b}]\ntext: |\n  x: y\n",
    "# --8<-- [start:a]\none\n# --8<-- [start:b]\ntwo\n# --8<-- [end:a]\n# --8<-- [end:b]\n\n# 2.0.0 (2026)\n\n- Fixed.\n",
)
"""Files whose values may be cited."""

QUESTION_FILES = (
    "- How do I rotate a key?\n- question: What are the limits?\n  id: limits\n  sources: [a/*.md]\n",
    "- {question: Why?, queries: [a, b]}\n- &a {question: Who?}\n- *a\n",
)

CALLS = (
    "index.md#keys\nHow long do keys last?",
    "index.md\nThe limit is 50 requests per minute. Keys last two years.",
    "*.md\nHEAD",
    "../../etc/passwd\n--output=/tmp/x",
)
"""What an assistant sends to the tools: an address or a page, and a text."""

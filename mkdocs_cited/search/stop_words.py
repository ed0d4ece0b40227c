"""Words of a question that say nothing of what it is about, in the languages that documentation is mostly written in.

In other languages, how common a word is on the site has to tell.
"""

from __future__ import annotations

import re

_WORDS = {
    "de": """
aber alle als also am an auch auf aus bei beim bin bis bitte brauche da damit dann darf das dass dem den der des die
dies diese dieser dieses doch du durch ein eine einem einen einer eines er es etwas für gibt habe haben hat ich ihr im
immer in ins ist ja kann kein keine können man mehr mein meine mich mir mit muss müssen nach nicht noch nur ob oder
ohne sein seine sich sie sind soll sollte um und uns unter vom von vor wann war warum was weil welche welchem welchen
welcher welches wenn wer werden wie wieso wir wird wo wofür wohin womit woran wurde zu zum zur über
""",
    "en": """
a about actually after all also am an and any anyone anything anywhere are aren as at be because been before being but
by can cannot could couldn d did do does doesn doing don done each else etc ever every everything exactly explain for
from get gets getting give go goes going got had hadn happen happened happens has hasn have haven having he her here
him his how i if in instead into is isn it its itself just know let like ll m made make makes making may me mean means
might more most much must my myself need no nor not now of off on once one only or other our ours out over own please
possible re really s same say see seem shall she should shouldn since so some somehow someone something somewhere
still such t tell than that the their them then there these they thing things this those through to too under until up
us ve very via want was wasn way ways we well were what whats when where whether which while who whom whose why will
with within without won would wouldn yet you your yours yourself
apart between called chose difference differences differ differs fine good half lot lots tells told took versus vs
""",
    "es": """
a al algo como con cual cuales cuando cuanto cuál cuándo cuánto cómo de del donde dónde el ella ellos en entre es esa
ese eso esta este esto está están fue ha hace hacer han hay la las le les lo los me mi mis muy más no nos o para pero
por porque puede pueden puedo que quien qué se ser si sin sobre son su sus también te tengo tiene tienen tu un una
unas uno unos usted y ya yo
""",
    "fr": """
a ai au aux avec avoir c ce ceci cela ces cet cette comment d dans de des du elle elles en est et eux faire fait faut
il ils j je l la le les leur lui ma mais me mes moi mon n ne nos notre nous on ont ou où par pas peut peuvent peux
plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont sur ta te tes toi ton
tu un une vos votre vous y à ça être
""",
    "it": """
a ad ai al alla alle anche che chi ci come con cosa cui da dal dalla dei del della delle di dove e gli ha hanno ho i
il in io la le lo ma mi mio nel nella non o per perché più possibile posso puoi può quale quali quando quanto questa
questo se si sono su sua suo tra un una uno è
""",
    "nl": """
aan al als bij dan dat de deze die dit doe door een en er geen had heb hebben heeft het hij hoe ik in is je kan kun
kunnen maar me meer met mij mijn moet na naar niet nog of om onder ons ook op over te tot u uit van voor waar waarom
wanneer was wat we wel welk welke wie wij worden wordt zal ze zich zij zijn zou
""",
    "pt": """
a ao aos as até com como da das de dela dele do dos e ela ele em entre essa esse esta este está eu fazer foi há isso
isto já mais mas me meu minha muito na nas no nos não o onde os ou para pela pelo pode podem por porque posso quais
qual quando quanto que quem se sem ser seu sua são também tem tenho um uma você à é
""",
}

_PHRASES = {
    "zh": "为什么 如何 怎么 怎样 什么 哪些 哪里 哪个 何时 是否 可以 能否 请问 有没有 我们 "
    "吗 呢 吧 啊 我 你 您 的 了 是 在 和 有 能 会 要",
    "ja": "どのように どうやって どうして どうすれば なぜ 何 なに どこ いつ だれ どれ どの "
    "ですか ますか でしょうか ください とは する した して です ます ある いる これ それ から まで",
    "ko": "어떻게 무엇 무엇을 왜 어디 언제 누가 어떤 있나요 하나요 인가요 입니까 합니까",
}

MEASURES = {
    "de": re.compile(r"\bwie\s+(?:alt|groß|lang|lange|oft|schnell|viel|viele|weit)\b", re.IGNORECASE),
    "en": re.compile(r"\bhow\s+(?:big|far|fast|large|long|many|much|often|old|soon)\b", re.IGNORECASE),
    "fr": re.compile(r"\bcombien\s+de(?:\s+temps|\s+fois)?\b", re.IGNORECASE),
}
"""Language → how questions ask for a figure: a page that says the figure has no use for these words."""

COMPOUNDS = {
    "en": tuple(
        (re.compile(rf"\b{verb}(?:s|ed|ing)? {particle}\b", re.IGNORECASE), f"{verb}{particle}")
        for verb, particle in (
            pair.split() for pair in ("back up", "clean up", "log in", "log out", "roll back", "start up", "time out")
        )
    )
}
"""Language → verbs whose particle is a stop word, each with the word that says the same: of `back up`, `back` alone is
another."""

STOP_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
"""Language → words, lower-case."""

STOP_PHRASES = {
    language: tuple(sorted(phrases.split(), key=lambda phrase: (-len(phrase), phrase)))
    for language, phrases in _PHRASES.items()
}
"""Language without spaces between words → what is cut out of a question, longest first."""

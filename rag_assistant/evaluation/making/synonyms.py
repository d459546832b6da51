"""A small table of English words that mean nearly the same wherever they stand, to reword by.

Words with several senses are left out: a question that means something else than its answer is
worse than one that is easy to find.
"""

from collections.abc import Mapping
from functools import cache

_ALIKE = """
    annual yearly|yearly annual|purchase buy|buy purchase|bought purchased|purchased bought
    purchasing buying|begin start|begins starts|began started|begun started|
    allowed permitted
    permitted allowed|may can|maximum highest|minimum lowest|largest biggest|biggest largest
    rapid fast|quickly fast|required needed|require need|requires needs|needed required
    obtain get|receive get|receives gets|staff employees|employees staff|employee worker
    salary pay|colleagues coworkers|assist help|assistance help|attempts tries|attempted tried
    approximately roughly|accommodation lodging|additional extra|extra additional|repaired mended
    replacing exchanging|replaced exchanged|select choose|selected chosen|choose select
    chosen selected|demonstrate show|demonstrates shows|reveals shows
    sufficient enough|entire whole|concerning regarding|physician doctor|physicians doctors
    doctors physicians|children kids|illness sickness|sickness illness|error mistake
    errors mistakes|mistake error|mistakes errors|rubbish waste|gather collect|gathered collected
    collected gathered|inform tell|informed told|notify inform|notified informed|inspect examine
    inspected examined|examined inspected|investigated studied|investigate study|nearly almost
    almost nearly|occur happen|occurs happens|occurred happened|participate (take part)
    previous earlier|prior earlier|primary main|main principal|principal main
    proposed suggested|suggested proposed|provide supply|provides supplies|provided supplied
    supplied provided|rear back|remain stay|remains stays|remained stayed|remove (take away)
    removed (taken away)|restart reboot|seek (look for)|subsequent later|toilet lavatory
    toilets lavatories|uncommon rare|usually normally|normally usually|utilize use|utilized used
    utilise use|utilised used|verify check|verified checked|fee charge|fees charges
    agreed decided|approved authorised|authorised approved|authorized approved|deadline cut-off
    owner proprietor|owners proprietors|gift present|gifts presents|injury wound|injuries wounds
    construct build|constructed built|built constructed|located situated|situated located
    important significant|significant important|various several|frequently often|often frequently
    rarely seldom|seldom rarely|commence start|commenced started|wrong incorrect
    throughout during|upon on|until till|damaged broken|ensure guarantee|ensures guarantees
    visitor guest|visitors guests|guests visitors|trip journey|trips journeys|journey trip
    journeys trips|phone telephone|telephone phone|phones telephones|manufacturer maker
    manufacturers makers|statement declaration|statements declarations|requested (asked for)
    technique method|techniques methods|method technique|methods techniques|area region
    areas regions|region area|regions areas|rotate turn|rotates turns|fastened tightened
    task job|tasks jobs|whole entire|instructions directions|assembled (put together)
    novel new|numerous many|adequate sufficient|beneath under|afterwards later|aid help
"""
"""Pairs with a stroke or a new line between them; what is of several words is in brackets."""


@cache
def synonyms() -> Mapping[str, str]:
    """Map words in lower case to what may stand in their place."""
    pairs = (pair.strip() for line in _ALIKE.splitlines() for pair in line.split("|"))
    found: dict[str, str] = {}
    for pair in filter(None, pairs):
        word, _, other = pair.partition(" ")
        found.setdefault(word, other.strip("()"))
    return found

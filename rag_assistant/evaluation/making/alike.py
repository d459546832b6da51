"""English words that mean nearly the same wherever they stand: a table of our own to reword by.

Words with several senses are left out: a question that means something else than its answer is
worse than one that is easy to find.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from rag_assistant.text.english import kind_of, verb_forms, with_s

_VERBS = """
begin start commence|start begin|buy purchase|purchase buy|allow permit|permit allow|require need
help assist|assist help|attempt try|try attempt|mend repair|repair mend|exchange swap|choose select
select choose|gather collect|collect gather|inform tell|notify inform|inspect examine
examine inspect|occur happen|happen occur|participate take_part|propose suggest|provide supply
supply provide|remain stay|remove take_away|restart reboot|seek look_for|utilise use|verify check
approve authorise|authorise approve|construct build|build construct|ensure guarantee|finish complete
repay pay_back|cancel call_off|postpone put_off|replace exchange|reject turn_down|exceed go_beyond
submit hand_in|enclose attach|demonstrate show|announce make_known|employ hire|resign step_down
reimburse refund|refund reimburse|deduct take_off|reduce lower|increase raise|attend come_to
prohibit forbid|forbid prohibit|depart leave|discard throw_away|fasten secure|tighten screw_down
rinse flush|rotate turn|store keep|retain keep|measure gauge|adjust fine-tune|disconnect unplug
display show|indicate show|investigate look_into|lapse expire|expire lapse|acknowledge confirm
accept agree_to|donate give|apologise say_sorry|mention bring_up|vanish disappear|elect vote_in
assemble put_together|handle deal_with|contact get_in_touch_with|believe think|reckon think
install fit|regain get_back|promise pledge|cease stop|discover find|detect notice|affix attach
attach fasten|arrange organise|organise arrange|answer reply|conceal hide|consult ask|delete erase
destroy ruin|exclude leave_out|extend lengthen|hand_over pass_on|harm hurt|ignore disregard
immerse dip|injure hurt|lift hoist|maintain look_after|monitor watch|oppose object_to
owe have_to_pay|prepare get_ready|prevent stop|protect shield|recommend advise|recover get_back
refuse decline|decline turn_down|rent hire|revise rework|suspend put_on_hold|tell inform
transfer move|update renew|warn alert|withdraw pull_out|write_down note|appear show_up
calculate work_out|compare set_against|decide settle|describe set_out|explain make_clear|obey follow
"""
"""Verbs, each with what may replace it; an underscore joins what stands together."""

_NOUNS = """
cost price|price cost|salary wage|employee worker|colleague coworker|assistance help|amount sum
accommodation lodging|physician doctor|doctor physician|illness sickness|sickness illness
error mistake|mistake error|rubbish waste|deadline cut-off|gift present|injury wound|visitor guest
guest visitor|telephone phone|manufacturer maker|statement declaration|technique method
method technique|area zone|task job|job task|holiday vacation|expense outlay|fee charge|firm company
company firm|vehicle car|permission consent|approval consent|entitlement allowance|obligation duty
supplier vendor|invoice bill|bill invoice|contractor builder|decision ruling|request demand
answer reply|reply answer|letter note|bottle flask|container vessel|lid cover|fault defect
failure breakdown|warning alert|interval period|beginning start|toilet lavatory|shed hut
fence barrier|vote ballot|proposal suggestion|grant subsidy|deposit down_payment|rent lease_payment
shipment delivery|equipment gear|footwear shoes|password passphrase|meal food|ship vessel
manager boss|supervisor boss|department division|team crew|exam test|examination test
accident mishap|incident occurrence|notification notice|rule regulation|payment remittance
bonus premium|spouse partner|child kid|baby infant|shift stint|break pause|harbour port|crane hoist
engine motor|motor engine|component part|cartridge insert|sensor probe|tank reservoir|inlet intake
leak seepage|procedure process|guarantee warranty|warranty guarantee|tender bid|volunteer helper
cash money|document paper|customer client|storm gale|rain rainfall|street road|town city
house staff personnel|crew team|maximum upper_limit|minimum lower_limit|percentage share|gate door
door entrance|noise sound|speed pace|width breadth|register list|note remark|remark comment
comment remark|reason ground|aim goal|outcome result|risk danger|danger hazard|hazard danger
insurance cover|complaint grievance|overtime extra_hours|budget spending_plan|profit gain
loss deficit|deficit shortfall|income revenue|spending expenditure|expenditure spending
surplus excess|fund tax levy|receipt proof_of_purchase|hotel inn|flight plane_trip|luggage bags
"""
_OTHERS = """
annual yearly|yearly annual|largest biggest|rapid fast|quickly fast|sufficient enough|entire whole
nearly almost|almost nearly|previous earlier|prior earlier|primary main|principal main
subsequent later|uncommon rare|usually normally|normally usually|important significant
various several|frequently often|rarely seldom|wrong incorrect|throughout during|until till
damaged broken|numerous many|adequate sufficient|afterwards later|highest maximum|lowest minimum
additional extra|extra additional|further additional|approximately roughly|responsible in_charge
necessary needed|monthly every_month|weekly every_week|daily every_day|immediately at_once
personal private|private personal|external outside|internal inside|entirely fully|completely fully
currently now|now currently|formerly once|rear back|empty vacant|wet damp|valid in_force
abroad overseas|mandatory compulsory|compulsory mandatory|optional voluntary|voluntary optional
inexpensive cheap|large big|big large|small little|heavy weighty|slow sluggish
beforehand ahead_of_time|together jointly|annually each_year|via through|concerning regarding
during in_the_course_of|each every|every each|towards toward|full-time whole-time
safe secure|hot very_warm|cold chilly|loose slack|available on_hand
broken faulty|faulty defective|ill sick|sick ill|initial first|strong powerful
"""
_KIN = """
approve approval|authorise authorisation|deliver delivery|decide decision|receive receipt
choose choice|sell sale|lose loss|pay payment|entitle entitlement|apply application|advise advice
arrive arrival|depart departure|fail failure|know knowledge|live life|marry marriage|move movement
permit permission|prove proof|remove removal|renew renewal|speak speech|store storage|think thought
weigh weight|long length|wide width|high height|deep depth|hot heat|warm warmth|strong strength
safe safety|insure insurance|propose proposal|refuse refusal|resign resignation|explain explanation
describe description|reduce reduction|produce production|leak leakage|break breakage|use usage
notify notification|verify verification|dispose disposal|measure measurement|replace replacement
"""
"""Verbs or adjectives with the noun of the same family."""


@dataclass(frozen=True, slots=True)
class _Table:
    verbs: Mapping[str, tuple[str, ...]]
    nouns: Mapping[str, tuple[str, ...]]
    others: Mapping[str, tuple[str, ...]]
    past: frozenset[str]


def alike(word: str, before: str, behind: str) -> tuple[str, ...]:
    """Give what may stand in place of a word in lower case between two others.

    The word before tells a noun from a verb; where it does not, none is given.
    """
    table, kind = _table(), kind_of(before) if before else "mark"
    if word in table.others:
        return table.others[word]
    helped = kind == "aux" or before in ("to", "you", "we")
    if word in table.verbs and (helped or (kind == "word" and word.endswith("ed"))):
        return table.verbs[word] if kind_of(behind or ".") != "word" or helped else ()
    many = word.endswith("s") and kind in ("word", "mark")  # "the hinge breaks" has a verb
    if word in table.nouns and not helped and not many and kind_of(behind or ".") != "word":
        return table.nouns[word]
    return ()


def is_verb(word: str) -> bool:
    """Whether a word is a form of a verb of the table that is hardly a noun."""
    return word in _table().verbs and (word.endswith(("s", "ed")) or word in _table().past)


@cache
def _table() -> _Table:
    """Bend the words of the tables; a form that is past and participle has others' participle."""
    verbs: dict[str, tuple[str, ...]] = {}
    for group in _groups(_VERBS):
        forms = [verb_forms(one) for one in group]
        for place, form in enumerate(forms[0][:4]):
            verbs[form] = tuple(other[place] for other in forms[1:])
    nouns = {word: tuple(others) for word, *others in _groups(_NOUNS)}
    many = {with_s(word): tuple(map(with_s, others)) for word, others in nouns.items()}
    small = {word: tuple(others) for word, *others in _groups(_OTHERS)}
    past = frozenset(verb_forms(word)[2] for word, *_ in _groups(_VERBS))
    return _Table(verbs, nouns | many, small, past)


@cache
def kin() -> Mapping[str, str]:
    """Map words to another of the same family, for questions that are words alone."""
    pairs = [(group[0], group[1]) for group in _groups(_KIN)]
    return dict(pairs) | {other: word for word, other in pairs}


def _groups(table: str) -> list[list[str]]:
    groups = filter(None, map(str.split, table.replace("\n", "|").split("|")))
    return [[word.replace("_", " ") for word in group] for group in groups]

"""Answers over the demo corpora, each sentence labelled by hand with what it rests on.

The labels were written from the words of sources and sentences alone: q quoted, s supported,
u unsupported, n no claim. The first of two cases is for choosing limits, the second for reporting.
"""

from dataclasses import dataclass
from pathlib import Path

from rag_assistant.agents.support import with_support
from rag_assistant.coverage import Coverage
from rag_assistant.documents import Location, Passage
from rag_assistant.evidence import Answer, Citation, Evidence, EvidenceItem, QuoteMatch
from rag_assistant.messages import Usage
from rag_assistant.quotes.finding import find_quote
from rag_assistant.support import Support


@dataclass(frozen=True, slots=True)
class Case:
    """An answer as sentences with their labels, and the quotes that its numbers [1], [2] … stand
    for: a path below corpora/ and words of it, or words that a model made up."""

    question: str
    sources: tuple[tuple[str, str], ...]
    sentences: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The answer."""
        return "".join(words for words, _ in self.sentences)


PARENTAL = "handbook/leave/parental.md"
ANNUAL = "handbook/leave/annual.md"
EXPENSES = "handbook/travel/expenses.md"
WEATHER = "handbook/health-and-safety/weather-limits.md"
VPN = "handbook/security/vpn.md"
HYBRID = "handbook/working-time/hybrid.md"
INSTALLATION = "manual/chapters/03-installation.md"
CALIBRATION = "manual/chapters/07-calibration.md"
RELEASES = "manual/notes/release-notes.txt"
MAY = "council/minutes/2025-05-13.md"
ROOF = "council/papers/2025-05-28-roof-contract-summary.md"
JULY = "council/minutes/2026-07-14.md"
TENDERS = "council/papers/2026-02-05-toilet-tender-comparison.md"

CASES = (
    Case(
        "How long is leave for the other parent?",
        (
            (
                PARENTAL,
                "Partners receive six weeks at full pay, whatever their length of service. The"
                " weeks may be taken together or in up to three separate blocks, and must be"
                " finished within 52 weeks of the birth or placement.",
            ),
        ),
        (
            ("Partners receive six weeks at full pay, whatever their length of service [1]. ", "q"),
            ("The weeks can be split into up to three blocks [1]. ", "s"),
            ("They have to be finished within 26 weeks of the birth [1]. ", "u"),
            ("Most people take them in summer. ", "u"),
            ("Would you like to know how to apply?", "n"),
        ),
    ),
    Case(
        "How many days can technicians carry over?",
        (
            (
                ANNUAL,
                "up to eight days may be carried over and the deadline for using them is 30"
                " September",
            ),
            (ANNUAL, "Up to five days may be carried into the new leave year without asking"),
        ),
        (
            ("## Carrying days over\n\n", "n"),
            ("Turbine technicians may carry over up to 8 days.[1] ", "s"),
            ("The deadline for using them is 30 September.[1] ", "q"),
            ("Everyone else may carry five days into the new leave year [2]. ", "s"),
            ("Everyone else may carry six days into the new leave year [2]. ", "u"),
            ("Days that are left can be sold in December [1].", "u"),
        ),
    ),
    Case(
        "How long do I have to put in a claim?",
        (
            (
                EXPENSES,
                "A claim has to be submitted within 45 days of the day on which the money was"
                " spent. This rule has applied since 1 January 2026 and supersedes the former limit"
                " of 60 days, which still governs expenses incurred in 2025.",
            ),
            (EXPENSES, "Claims without a receipt are paid on request by the finance director."),
        ),
        (
            ("Sure, here is what I found:\n\n", "n"),
            ("- A claim must be submitted within **45 days** of spending the money [1].\n", "s"),
            ("- For expenses incurred in 2025 the former limit of 60 days applies [1].\n", "s"),
            ("- The rule has applied since 1 March 2026 [1].\n", "u"),
            ("- Without a receipt, the finance director pays on request [2].\n", "u"),
            ("- Late claims cost a fee of €20 [7?].", "u"),
        ),
    ),
    Case(
        "Up to which wave height may we transfer people?",
        (
            (WEATHER, "| Transfer to a turbine platform | 1.3 m waves, whatever the vessel |"),
            (WEATHER, "with waves of 1.4 m the boat may go out, but nobody may step across"),
        ),
        (
            ("The limit for the transfer to a turbine platform is 1.3 m waves [1]. ", "s"),
            ("With waves of 1.4 m the boat may go out, but nobody may step across [2]. ", "q"),
            ("With waves of 1.4 m people may step across [2]. ", "u"),
            ("The Maren itself may sail in waves of up to 1.5 m.", "u"),
        ),
    ),
    Case(
        "What does HLY-407 mean?",
        (
            (
                VPN,
                "`HLY-407`: the clock of the laptop differs by more than 90 seconds. Run `halyard"
                " sync-time` and try again.",
            ),
        ),
        (
            ("The error HLY-407 says that the laptop's clock is off by more than 90 seconds [1]. ",
             "s"),
            ("To mend it, run:\n\n", "n"),
            ("```\nhalyard sync-time\n```\n\n", "s"),
            ("Then try again [1].\n\n", "s"),
            ("The certificate may have expired, too.", "u"),
        ),
    ),
    Case(
        "May I work from Portugal?",
        (
            (
                HYBRID,
                "You can work from another country of the European Economic Area for up to 20"
                " working days in a calendar year. Ask in Fathom at least four weeks before.",
            ),
            (HYBRID, "Outside the EEA this is not possible, because we cannot insure it."),
        ),
        (
            ("Yes. ", "n"),
            (
                "You can work from another country of the European Economic Area for up to 20"
                " working days in a calendar year [1]. ",
                "q",
            ),
            ("You must ask in Fathom four weeks before [1]. ", "s"),
            ("Outside the EEA it is possible as well [2]. ", "u"),
            ("Outside the EEA it is not possible [2]. ", "s"),
            ("Ask Kirsten Dahl for the form [1].", "u"),
        ),
    ),
    Case(
        "How tight must the bracket's screws be?",
        (
            (
                INSTALLATION,
                "Use four M8 anchors in solid masonry, each with a pull-out strength of at least"
                " 1.5 kN, and tighten the bracket screws to 14 N·m. The HP-420 is too heavy for the"
                " bracket. Check the screws again after one month, because plaster settles.",
            ),
        ),
        (
            ("1. Use four M8 anchors in solid masonry [1].\n", "q"),
            ("2. Tighten the bracket screws to 14 N·m [1].\n", "q"),
            ("3. Check the screws again after one month [1].\n", "q"),
            ("4. Check them again after six months [1].\n", "u"),
            ("5. The HP-440 is too heavy for the bracket [1].\n", "u"),
            ("6. Each anchor needs a pull-out strength of 1.5 kN or more [1].", "s"),
        ),
    ),
    Case(
        "How often is each sensor calibrated?",
        (
            (
                CALIBRATION,
                "| Dosing pump P2 | 30 days | Tube change, new solution with other viscosity | 15"
                " min |\n| Conductivity C1 and C2 | 6 months | Cell exchange | 25 min |\n|"
                " Resistivity C3 | 12 months | Cell or board exchange | 40 min |",
            ),
        ),
        (
            ("| Item | Interval |\n", "n"),
            ("|---|---|\n", "n"),
            ("| Dosing pump P2 | 30 days |\n", "s"),
            ("| Conductivity C1 and C2 | 6 months |\n", "s"),
            ("| Resistivity C3 | 24 months |\n", "u"),
            ("| Bubble sensor | As needed |\n\n", "u"),
            ("[1] — 07-calibration", "n"),
        ),
    ),
    Case(
        "How many requests may a token make since 3.5?",
        (
            (
                RELEASES,
                "The default of api_rate_limit_per_min has been lowered from 60 to 30\n  requests"
                " per minute and token.",
            ),
            (RELEASES, "Stations of\n  revision A remain on 3.4."),
        ),
        (
            ("“The default of api_rate_limit_per_min has been lowered from 60 to 30 requests per"
             " minute and token.” [1] ", "q"),
            ("— release-notes.txt\n\n", "n"),
            ("Since 3.5.0 a token may make 30 requests per minute [1]. ", "u"),
            ("The limit was lowered from 60 to 30 requests per minute [1]. ", "s"),
            ("Stations of revision A remain on 3.4 [2]. ", "q"),
            ("Stations of revision B remain on 3.4 [2]. ", "u"),
            ("I searched the release notes and the service bulletins.", "n"),
        ),
    ),
    Case(
        "What was the agreed price of the roof?",
        (
            (
                MAY,
                "the figure in item 4 of the April minutes should read £18,450, not £18,540; two"
                " digits had changed places in typing",
            ),
            (ROOF, "| Contract sum | £18,450 including VAT |"),
            (ROOF, "| Deposit | £3,690, one fifth, on signature |"),
        ),
        (
            ("The contract sum is £18,450 including VAT [2]. ", "s"),
            ("The April minutes gave £18,540 because two digits had changed places in typing [1]. ",
             "s"),
            ("The two differ by £90 [1][2]. ", "u"),
            ("The deposit was £3,690, one fifth of the sum [3]. ", "s"),
            ("The deposit was paid by Gordon Haswell [3]. ", "u"),
            ("The rest was due in $9,000 stages [2].", "u"),
        ),
    ),
    Case(
        "How far from a path must hives be?",
        (
            (
                JULY,
                "In item 4 the distance of hives from a main path should read 10 m, not 15 m; ten"
                " is what was moved",
            ),
        ),
        (
            ("Hives must be 10 m from a main path [1]. ", "s"),
            ("The draft said 15 m, which was corrected on 14 July 2026 [1]. ", "s"),
            ("Hives must be 10 km from a main path [1]. ", "u"),
            ("Bees are useful to the gardens [1].", "u"),
        ),
    ),
    Case(
        "Why was the oak toilet ruled out?",
        (
            (
                TENDERS,
                "its price is above the ceiling of £8,000 set in November, so that we could not"
                " consider it further",
            ),
            (TENDERS, "The group recommends Fenwick Timber Structures by two to one."),
        ),
        (
            ("Its price was above the ceiling of £8,000 that was set in November [1]. ", "s"),
            ("Its price was below the ceiling, at £7,600 [1]. ", "u"),
            ("The group recommends Fenwick Timber Structures by two to one [2]. ", "q"),
            ("The group recommends Brämer Dry Systems by two to one [2]. ", "u"),
            ("The documents do not say who built it in the end.", "n"),
        ),
    ),
    Case(
        "What does a parking place cost?",
        (),
        (
            ("The documents do not hold the answer to this. ", "n"),
            ("I looked for “parking” and “permit” in the handbook. ", "n"),
            ("A permit usually costs €40 a year.", "u"),
        ),
    ),
    Case(
        "When was the grant paid?",
        ((JULY, "The Fund paid £5,400 on 8 July. Nuala Devereux visited on 2 July"),),
        (
            ("The Fund paid £5,400 on 8 July 2026 [1]. ", "s"),
            ("Nuala Devereux paid £5,400 on 2 July [1]. ", "u"),
            ("The Fund paid £6,000 on 8 July [1]. ", "u"),
            ("The Fund did not pay the £5,400 [1]. ", "u"),
            ("Let me know if you need more.", "n"),
        ),
    ),
    Case(
        "Who may buy extra leave, and when?",
        (
            (
                ANNUAL,
                "Once a year, between 1 and 21 February, you can buy up to four extra days for the"
                " coming leave year on FORM-LV-03. The cost is spread over twelve salaries."
                " Selling annual leave is not possible, except when employment ends.",
            ),
        ),
        (
            ("You can buy up to four extra days between 1 and 21 February, on FORM-LV-03 [1]. ",
             "s"),
            ("The cost is spread over twelve salaries. ", "q"),
            ("Selling leave is not possible, except when employment ends [1].\n\n", "q"),
            ("It is done on FORM-LV-07 [1]. ", "u"),
            ("Selling annual leave is possible [1].", "u"),
        ),
    ),
    Case(
        "How many working days in a row need early notice?",
        (
            (ANNUAL, "absence of up to four days: two working days beforehand;"),
            (ANNUAL, "absence of five days or longer: ten working days beforehand;"),
        ),
        (
            ("Notice depends on the length:\n\n", "n"),
            ("- up to four days: two working days beforehand\n", "q"),
            ("- five days or longer: ten working days beforehand [1][2]\n\n", "q"),
            ("A whole month needs a year's notice.", "u"),
        ),
    ),
    Case(
        "When may parental leave begin?",
        (
            (
                PARENTAL,
                "Leave may begin no earlier than eleven weeks before the due date. Somebody who is"
                " absent with a pregnancy-related illness in the last four weeks starts leave"
                " automatically.",
            ),
            (
                PARENTAL,
                "You may work up to ten keeping-in-touch days during leave. They are voluntary,"
                " paid at the ordinary daily rate, and do not end the leave.",
            ),
        ),
        (
            ("Leave may begin eleven weeks before the due date at the earliest [1]. ", "s"),
            ("Leave may begin eleven weeks after the due date [1]. ", "u"),
            ("Up to 10 keeping-in-touch days are possible [2]. ", "s"),
            ("Keeping-in-touch days are unpaid [2]. ", "u"),
            ("You must work ten keeping-in-touch days during leave [2]. ", "u"),
            ("They do not end the leave [2].", "q"),
        ),
    ),
    Case(
        "What must the room and the water be like?",
        (
            (
                INSTALLATION,
                "The room must be dry, free of corrosive vapours and between 10 and 32 °C, with a"
                " relative humidity of no more than 80 %. Keep the station out of direct sunlight",
            ),
            (
                INSTALLATION,
                "The inlet valve closes and the station reports E-101 if the inlet pressure falls"
                " below 0.8 bar for more than ten seconds.",
            ),
        ),
        (
            ("The room must be dry and between 10 and 32 °C [1]. ", "s"),
            ("Its relative humidity may be 80 % at most [1]. ", "s"),
            ("The room should have direct sunlight [1]. ", "u"),
            ("The inlet valve closes if the pressure rises above 0.8 bar [2]. ", "u"),
            ("The station reports E-101 if the inlet pressure falls below 0.8 bar [2]. ", "s"),
            ("It reports E-102 if the pressure falls below 0.8 bar [2]. ", "u"),
            ("The valve opens again after ten seconds [2].", "u"),
        ),
    ),
)  # fmt: skip


CORPORA = Path(__file__).parents[2] / "corpora"
LABELS = {
    "q": Support.QUOTED, "s": Support.SUPPORTED, "u": Support.UNSUPPORTED, "n": Support.NO_CLAIM,
}  # fmt: skip


def item(path: str, words: str) -> EvidenceItem:
    text = (CORPORA / path).read_text(encoding="utf-8")
    found = find_quote(words, [Passage(text, Location(0, len(text), line=1))])
    return EvidenceItem(
        path.split("/", maxsplit=1)[0],
        1,
        Path(path).stem,
        path.partition("/")[2],
        found.text if found else words,
        found.location if found else Location(0, len(text)),
        found is not None,
        match=found.match if found else QuoteMatch.MISSING,
    )


def judged(case: Case) -> Answer:
    items = [item(*source) for source in case.sources]
    citations = tuple(Citation(number, cited) for number, cited in enumerate(items, 1))
    evidence = (Evidence("d", case.question, tuple(items), 5, (1,)),)
    return with_support(
        Answer(case.question, case.text, citations, evidence, Coverage(), "m", Usage(), 1)
    )


def given(case: Case) -> list[tuple[str, Support, Support]]:
    """Each labelled sentence with its label and what was found."""
    answer = judged(case)
    assert len(answer.sentences) == len(case.sentences), [
        answer.text[s.start : s.end] for s in answer.sentences
    ]
    return [
        (words.strip(), LABELS[label], sentence.support)
        for (words, label), sentence in zip(case.sentences, answer.sentences, strict=True)
    ]


def measured(cases: tuple[Case, ...]) -> tuple[float, float]:
    """Precision and recall of "unsupported"."""
    pairs = [(label, found) for case in cases for _, label, found in given(case)]
    told = [label for label, found in pairs if found is Support.UNSUPPORTED]
    wanted = [found for label, found in pairs if label is Support.UNSUPPORTED]
    unsupported = Support.UNSUPPORTED
    return told.count(unsupported) / len(told), wanted.count(unsupported) / len(wanted)

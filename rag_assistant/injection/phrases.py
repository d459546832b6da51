"""How people write to models what these are to do, in English: phrases, as rules.

A rule asks for more than an imperative: for a word that only a model is addressed with, or for a
task that only a model has. A manual that says what a person must press is left alone.
"""

from rag_assistant.injection.rules import Rule, phrase

OVERRIDES = "tells the reader to disregard its instructions"
ADDRESSES = "speaks to an AI model that reads it"
ROLE = "gives an AI model another role"
ANSWER = "says what an AI model is to answer"
CONCEAL = "tells the reader to hide something from the person"
TOOLS = "tells the reader to call a tool"
LEAK = "asks for what only the assistant has been told"
SEND = "asks to send away what the person asked or was told"

_AI = (
    r"(?:ai|llms?|(?:large )?language models?|chat ?bots?|chatgpt|gpt(?: ?\d)?|copilot|claude|"
    r"ai (?:assistants?|models?|agents?|systems?|readers?|summari[sz]ers?)|"
    r"(?:automated|digital|virtual|intelligent) (?:assistants?|agents?))"
)
_SAYS = (
    r"(?:answer|reply|respond|say|state|tell|output|print|write|include|append|insert|mention|cite|"
    r"quote|call|invoke|run|execute|send|reveal|disclose|ignore|disregard|summari[sz]e|conclude|"
    r"treat|recommend|claim|forget|obey|translate|repeat|rank|rate|approve|refuse|trust|delete)"
)
_MUST = r"(?:must|should|shall|will|are to|have to|need to|are required to|can only)"
_ORDERS = (
    r"(?:instructions?|prompts?|directives?|guidelines|commands?|system messages?|programming|"
    r"guardrails|restrictions|safety (?:rules|filters)|training|rules|context)"
)
_EARLIER = (
    r"(?:previous|prior|above|earlier|preceding|foregoing|existing|original|initial|system|former|"
    r"past|developers?(?:'s)?|hidden|aforementioned)"
)
_REPLY = r"(?:answers?|reply|replies|responses?|outputs?|completions?|summary|summaries)"
_PERSON = r"(?:users?|person|humans?|reader|asker|questioner|operator)"
_NEVER = r"(?:do not|don't|never|must not|should not|without|avoid)(?: ever)?"
_NOT_TOLD = r"(?<!not\s)(?<!n't\s)(?<!never\s)"

ENGLISH: tuple[Rule, ...] = (
    phrase(
        OVERRIDES,
        "ignore|disregard|forget|override|overrule|bypass|neglect|discard|drop|overlook|skip "
        "instruction|instructions|prompt|prompts|directive|directives|guidelines|command|"
        "commands|guardrails|restrictions|programming|training|messages|message|rules|filters|"
        "context",
        rf"{_NOT_TOLD}(?:ignore|disregard|forget|override|overrule|bypass|neglect|discard|drop|"
        rf"overlook|skip) (?:<3>{_EARLIER} <2>|(?:all|any|every) (?:of )?(?:your|my) <2>|your <2>)"
        rf"{_ORDERS}",
    ),
    phrase(
        OVERRIDES,
        "ignore|disregard|forget above|before|earlier|far|previously|prior|now|here|point|told|"
        "given|instructed",
        rf"{_NOT_TOLD}(?:ignore|disregard|forget) (?:everything|anything|all|what|whatever) <4>"
        r"(?:above|before this|told (?:you|earlier|before)|so far|previously|prior to this|up to "
        r"(?:now|here|this point)|you (?:were|have been|are) (?:told|given|instructed))",
    ),
    phrase(
        OVERRIDES,
        "follow|following|obey|obeying|heed instruction|instructions|prompt|prompts|directive|"
        "directives|guidelines|commands|rules|programming|training",
        r"(?:do not|don't|stop|no longer|never|cease) (?:follow|following|obey|obeying|heed) <2>"
        rf"(?:{_EARLIER}|your) <2>{_ORDERS}",
    ),
    phrase(
        OVERRIDES,
        "instruction|instructions|prompt|prompts|directive|directives ai|llm|llms|model|models|"
        "chat|chatbot|chatbots|chatgpt|gpt|copilot|claude|assistant|assistants|agent|agents|"
        "you new|updated|revised|real|actual|true|secret|hidden|overriding|additional",
        r"(?:new|updated|revised|real|actual|true|secret|hidden|overriding|additional) (?:system )?"
        rf"(?:instructions?|prompts?|directives?) (?:for|to) (?:the |all |any |an? )?(?:{_AI}|"
        r"assistants?|agents?|models?|you)",
    ),
    phrase(
        OVERRIDES,
        "other sources|documents|entries|results|passages|files|databases|evidence|quotes|hits "
        "ignore|disregard|don|not|never ignore|disregard|use|trust|cite|quote|rely|read|consult",
        rf"(?:{_NOT_TOLD}(?:ignore|disregard)|(?:do not|don't|never) (?:use|trust|cite|quote|"
        r"rely on|read|consult)) <2>other (?:sources|documents|entries|results|passages|files|"
        r"databases|evidence|quotes|hits)",
    ),
    phrase(
        OVERRIDES,
        "override|mode admin|administrator|developer|system|security|emergency|safety|policy|"
        "god|dan|jailbreak|unrestricted|unfiltered",
        r"(?:admin(?:istrator)?|developer|system|security|emergency|safety|policy) override "
        r"(?:code|"
        r"mode|accepted|granted|engaged|enabled|active|activated|ignore|you|all|new)|(?:enter|"
        r"enable|activate|switch to|you are (?:now )?in) (?:an? |the )?(?:developer|god|dan|"
        r"jailbreak|unrestricted|unfiltered) mode",
    ),
    phrase(
        ADDRESSES,
        "attention|note|notes|notice|message|messages|instruction|instructions|important|"
        "reminder|warning|hint|hello|hey|dear|memo|directive ai|llm|llms|language|chat|"
        "chatbot|chatbots|chatgpt|gpt|copilot|claude|assistant|assistants|agent|agents",
        r"(?:attention|notes?|notice|messages?|instructions?|important|reminder|warning|hint|hello|"
        rf"hey|dear|memo|directive) (?:(?:for|to) )?(?:the |all |any |every |an? )?{_AI}",
    ),
    phrase(
        ADDRESSES,
        "attention|note|notes|message|messages|instruction|instructions|reminder|directive|"
        "memo assistant|assistants|agent|agents|model|models|summarizer|summariser|summarizers|"
        "summarisers",
        r"(?:attention|notes?|messages?|instructions?|reminder|directive|memo) (?:(?:for|to) )"
        r"?(?:the "
        r"|any |every |all )?(?:assistants?|agents?|models?|summari[sz]ers?) (?:reading|processing|"
        r"that|who|which|answering|you|summari[sz]ing|please|always|never|do not|ignore|must)",
    ),
    phrase(
        ADDRESSES,
        "ai|llm|llms|language|chat|chatbot|chatbots|chatgpt|gpt|copilot|claude|assistant|"
        "agent if|as you|your|please|answer|ignore|disregard|say|reply",
        rf"(?:if you(?:'re| are)|as) (?:an?|the|any) (?:{_AI}|assistant) <10>(?:you|your|please|"
        rf"{_SAYS})",
    ),
    phrase(
        ADDRESSES,
        "assistant|assistants|chatbot|chatbots|chat|ai|llm|llms|language|"
        "chatgpt|gpt|claude|copilot must|should|shall|is|has|needs|are",
        rf"(?:(?:the|any|every|all|dear) assistants?|{_AI}) <6>(?:must|should|shall|is to|has to|"
        r"needs to|is (?:now )?(?:required|instructed|ordered) to|are to) (?:now |always |only |"
        rf"never |not |immediately ){{0,2}}{_SAYS}",
    ),
    phrase(
        ADDRESSES,
        "assistant|assistants|chatbot|chatbots|chat|ai|llm|llms|language|chatgpt|gpt|claude|"
        "copilot",
        rf"(?:{_AI}|assistants?)(?: reading this| who read this)?\s{{0,2}}[:,]\s{{0,3}}(?:please )"
        rf"?(?:"
        rf"{_SAYS}|forward|post|use|open)",
    ),
    phrase(
        ADDRESSES,
        "assistant you|ignore|disregard|always|never|not|now",
        rf"(?:ai )?assistant (?:please )?(?:you {_MUST}|ignore|disregard|always|never|do not|from "
        r"now on)",
    ),
    phrase(
        ROLE,
        "you now|no ai|llm|language|chat|chatbot|assistant|assistants|agent|agents|dan|"
        "unrestricted|unfiltered|jailbroken|persona|restricted|filter|filters",
        r"you(?:'re| are) (?:now|no longer|from now on) (?:an? |the |in |bound |to ){0,3}<3>(?:"
        rf"{_AI}|assistants?|agents?|dan|unrestricted|unfiltered|jailbroken|persona|restricted|"
        r"filters?)",
    ),
    phrase(
        ROLE,
        "you are ai|llm|language|chat|chatbot|chatgpt|gpt|copilot|claude|assistant|assistants",
        rf"you are (?:an?|the) <3>(?:{_AI}|assistant(?! (?:to|at|in|for|manager|professor|director|"
        r"secretary|editor|coach|teacher|principal)))",
    ),
    phrase(
        ROLE,
        "now|henceforth|point answer|respond|reply|pretend|roleplay|response|name|role|goal|"
        "answers|replies|responses",
        r"(?:from now on|starting now|henceforth|from this point(?: on| onwards?)?) "
        r"<3>(?:(?:answer|"
        r"respond|reply|pretend|roleplay) |every (?:answer|reply|response) |your (?:name|role|goal|"
        r"answers?|replies|responses?) )\w{1,30}",
    ),
    phrase(
        ANSWER,
        "answer|answers|reply|replies|response|responses|output|outputs|completion|completions|"
        "summary|summaries your|every|each",
        r"(?:in|of|to|with|from|begin|start|end|finish|conclude|prefix|preface|change|make) "
        r"(?:your|"
        rf"every|each|any|all(?: of)?(?: your)?) (?:final |next |own )?{_REPLY} <5>(?:always|must|"
        r"never|do not|don't|include|add|append|insert|state|say|mention|put|place|write|link|with|"
        r"by|contain) \w{1,30}",
    ),
    phrase(
        ANSWER,
        "your answer|answers|reply|replies|response|responses|output|outputs|completion|"
        "summary|summaries include|add|append|insert|state|say|mention|put|place|repeat|paste|"
        "embed|display",
        r"(?:include|add|append|insert|state|say|mention|put|place|repeat|paste|embed|display) <14>"
        r"(?:in|to|into|at the (?:end|start|top|beginning|bottom) of|with) (?:all |any |every |"
        r"each "
        rf"of )?your (?:final |next )?{_REPLY}",
    ),
    phrase(
        ANSWER,
        "answer|reply|respond|say must|should|shall|will|are|have|need|only|always|just",
        rf"(?:you {_MUST}(?: always| only| now| instead| simply)?|always|only) (?:answer|reply|"
        rf"respond|"
        r"say) <3>(?:with|that|exactly|as follows|in the form|by saying|the following|yes|no)",
    ),
    phrase(
        ANSWER,
        "asked|asks|ask|inquires if|when|whenever answer|reply|respond|say|state|claim|tell",
        r"(?:if|when|whenever) (?:(?:you|anyone|someone|somebody|the user|a user|they|the person|"
        r"users)(?:'re)? (?:are |is |ever ){0,2})?(?:ask(?:s|ed)?|inquires?) <16>(?:always |only |"
        r"just "
        r"|must |simply |you ){0,3}(?:answer|reply|respond|say|state|claim|tell (?:them|him|her|"
        r"the "
        r"user))",
    ),
    phrase(
        ANSWER,
        "summarize|summarise|summarizing|summarising|answering|processing|quoting|citing|asked|"
        "retrieving|indexing document|file|page|text|email|entry|passage|article|record|"
        "message|documents|files|pages|entries|passages|records",
        r"(?:when|while|before|after|whenever) (?:you (?:are )?)?(?:summari[sz]e|summari[sz]ing|"
        r"answering|processing|quoting|citing|asked about|retrieving|indexing) (?:from |about |"
        r"with "
        r"|any |questions? (?:on |about )?){0,3}(?:this|these|the following) (?:document|file|page|"
        rf"text|email|entry|passage|article|record|message)s? <6>(?:you )?(?:{_MUST}|always|never|"
        rf"do not|{_SAYS})",
    ),
    phrase(
        ANSWER,
        "confidence return|reply|give|answer|extract|report",
        r"(?:return|reply|give|answer|extract|report) <16>confidence (?:of )?(?:10|ten)",
    ),
    phrase(
        CONCEAL,
        "user|users|person|human|humans|reader|asker|questioner|operator mention|tell|reveal|"
        "disclose|inform|notify|alert|warn|show|telling|mentioning|revealing|informing|"
        "notifying|alerting|warning|asking not|don|never|without|avoid",
        rf"{_NEVER} (?:mention|tell|reveal|disclose|inform|notify|alert|warn|show|telling|"
        r"mentioning|revealing|informing|notifying|alerting|warning|asking) <6>(?:to )?(?:the|any|"
        rf"a) {_PERSON}",
    ),
    phrase(
        CONCEAL,
        "mention|reveal|disclose|quote|acknowledge|mentioning|revealing|disclosing not|don|"
        "never|without|avoid instruction|instructions|prompt|note|message|passage|text|"
        "paragraph|document|file|read|received",
        rf"{_NEVER} (?:mention|reveal|disclose|quote|acknowledge|mentioning|revealing|disclosing) "
        r"(?:this|these|that you|having|where) <2>(?:instructions?|prompt|note|message|passage|"
        r"text|paragraph|document|file|read|received)",
    ),
    phrase(
        TOOLS,
        "call|invoke|use|run|execute|trigger tool|tools|functions|browser|shell|interpreter",
        r"(?:call|invoke|use|run|execute|trigger) (?:your <2>(?:tools?|functions?|browser|shell|"
        r"code "
        r"interpreter)|(?:the|an?|any|available) (?:available )?tools? (?:now|immediately|again|"
        r"named|called|with the arguments?))|(?:call|invoke|execute|trigger) (?:the|a|this|that) "
        r"tool",
    ),
    phrase(
        TOOLS,
        "call|invoke|execute|run tool|command|code|script must|should|please|now|immediately|"
        "first|then",
        r"(?:you )?(?:must|should|please|now|immediately|first|then) (?:immediately |now )?(?:call|"
        r"invoke|execute|run) <3>(?:tool|following (?:python |shell )?(?:code|command|script)|"
        r"python "
        r"tool) <4>(?:now|immediately|before (?:you )?answer\w{0,3}|on behalf)",
    ),
    phrase(
        LEAK,
        "prompt|prompts|instructions|message|messages|conversation|history|window|keys|"
        "credentials|secrets|memory your|system|hidden|initial|secret|original|conversation|"
        "chat|context reveal|repeat|print|output|show|display|disclose|leak|recite|dump|share|"
        "send|give|tell|copy|include|paste|write|reproduce|expose|list|translate",
        r"(?:reveal|repeat|print|output|show|display|disclose|leak|recite|dump|share|send|give|"
        r"tell|"
        r"copy|include|paste|write|reproduce|expose|list|translate) (?:me |us |out |down |back |"
        r"verbatim |all |of ){0,3}(?:(?:your|the) <2>(?:system (?:prompts?|messages?|instructions?)"
        r"|"
        r"(?:hidden|initial|secret|original) (?:prompts?|instructions?)|conversation (?:history|so "
        r"far|above)|chat history|context window)|your <2>(?:prompts?|instructions|api keys?|"
        r"credentials|secrets?|memory))",
    ),
    phrase(
        SEND,
        "send|post|upload|forward|exfiltrate|transmit|submit|leak|mail|email|append|encode|"
        "copy|attach|pass conversation|chat|user|person|users|persons|question|prompt|"
        "retrieved|content|contents|passages http|https|www|com|org|net|url|webhook|server|"
        "link|image|address",
        r"(?:send|post|upload|forward|exfiltrate|transmit|submit|leak|e ?mail|append|encode|copy|"
        r"attach|pass) <4>(?:conversation|chat|(?:user|person)(?:'?s)? (?:questions?|quer(?:y|ies)|"
        r"data|messages?|input|documents?|files?)|question|system prompt|retrieved|contents? of "
        r"(?:the "
        r"|all |every |other |any ){1,3}(?:documents?|files?|databases?|entries)|passages) "
        r"<8>(?:to|"
        r"at|via|into|as) <4>(?:https?|www|url|webhook|server|[\w.]{1,40}@\w|following address|"
        r"link|"
        r"image)",
    ),
)

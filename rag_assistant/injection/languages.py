"""How people write to models what these are to do, in German and French.

The words are folded as the text is: without accents, in lower case, ß as it is.
"""

from rag_assistant.injection.phrases import (
    ADDRESSES,
    ANSWER,
    CONCEAL,
    LEAK,
    OVERRIDES,
    ROLE,
    TOOLS,
)
from rag_assistant.injection.rules import Rule, phrase

_KI = (
    r"(?:ki|sprachmodell\w{0,3}|chatbots?|ki (?:assistent\w{0,3}|modell\w{0,2}|system\w{0,2})|"
    r"llms?)"
)
_IA = (
    r"(?:ia|llms?|chatbots?|modele de langage|intelligence artificielle|agents? ia|"
    r"assistante?s?(?: ia| virtuel\w{0,2})?)"
)


GERMAN: tuple[Rule, ...] = (
    phrase(
        OVERRIDES,
        "ignoriere|ignorieren|ignoriert|ignorier|vergiss|vergesst|vergessen|missachte|"
        "missachten|verwirf|verwerfen|umgehe|umgehen|uberschreibe|uberschreiben",
        r"(?:ignorier\w{0,3}|vergiss|vergesst|vergessen sie|missachte\w{0,2}|verwirf|verwerfen sie|"
        r"umgeh\w{0,3}|uberschreibe\w{0,2}) <3>(?:vorherige\w?|bisherige\w?|obige\w?|"
        r"vorangehende\w?|"
        r"vorangegangene\w?|fruhere\w?|ursprungliche\w?|deine\w?|bestehende\w?|vorigen?|"
        r"systemeigene\w?) <2>(?:\w{0,12}anweisung\w{0,2}|\w{0,12}instruktion\w{0,2}|vorgaben?|"
        r"regeln?|"
        r"befehle?|\w{0,8}prompts?|anordnung\w{0,2})",
    ),
    phrase(
        OVERRIDES,
        "ignoriere|ignorieren|ignoriert|vergiss|vergessen bisher|oben|zuvor|vorher|davor",
        r"(?:ignorier\w{0,3}|vergiss|vergessen sie) (?:alles|was) <5>(?:bisher|oben|zuvor|vorher|"
        r"davor)",
    ),
    phrase(
        ADDRESSES,
        "hinweis|hinweise|nachricht|nachrichten|anweisung|anweisungen|achtung|wichtig|"
        "mitteilung|notiz|befehl ki|sprachmodell|sprachmodelle|chatbot|chatbots|llm|llms|"
        "assistent|assistenten|assistentin",
        r"(?:hinweis\w{0,2}|nachricht\w{0,2}|anweisung\w{0,2}|achtung|wichtig|mitteilung|notiz|"
        r"befehl) "
        rf"(?:(?:an|fur) )?(?:die |das |den |alle |jede\w? |eine?\w? )?(?:{_KI}|assistent\w{{0,3}} "
        rf"(?:der|die|"
        r"das|welche\w?|du|bitte))",
    ),
    phrase(
        ADDRESSES,
        "du|sie|als ki|sprachmodell|chatbot|assistent|llm bist|sind|musst|sollst|wirst|mussen|"
        "sollen|darfst",
        rf"(?:(?:wenn|falls) (?:du|sie) (?:eine?|das|die|der|ein) (?:{_KI}|assistent) (?:bist|sind)"
        rf"|als "
        rf"{_KI} (?:musst|sollst|wirst|mussen|sollen|darfst) )",
    ),
    phrase(
        ADDRESSES,
        "assistent|ki|sprachmodell|chatbot muss|soll|hat|darf|wird",
        rf"(?:der|die|das|jede\w?) (?:{_KI}|assistent) (?:muss|soll|hat|darf|wird) <8>(?:antworten|"
        rf"sagen|"
        r"ignorieren|erwahnen|nennen|ausgeben|schreiben|aufrufen|verschweigen|zitieren)",
    ),
    phrase(
        ROLE,
        "bist|sind ki|sprachmodell|chatbot|assistent|modus|debugmodus|entwicklermodus|"
        "beschrankt|gebunden",
        rf"(?:du bist|sie sind) (?:(?:jetzt|nun|ab sofort|ab jetzt|nicht mehr) <3>(?:{_KI}|"
        rf"assistent|"
        rf"\w{{0,20}}modus|beschrankt|gebunden)|eine? <2>(?:{_KI}|assistent(?! (?:der|des))))",
    ),
    phrase(
        ANSWER,
        "antworte|antworten|antwortest|erwidere|antwort",
        r"(?:antworte|antworten sie|antwortest du|erwidere) (?:immer |nur |stets |ausschließlich |"
        r"jetzt )"
        r"<4>(?:mit|dass|so|auf|wie|ja|nein)|(?:in|am ende|am anfang|zu beginn|unter) (?:deine|"
        r"ihre|jede)"
        r"(?:r|n|m)? (?:nachste\w? )?antwort(?:en)?",
    ),
    phrase(
        CONCEAL,
        "nutzer|benutzer|anwender|user|menschen|mensch|person|nutzern|benutzern|anwendern "
        "nicht|nichts|nie|niemals|kein|keine|keinen|keinem",
        r"(?:sag\w?|sagen sie|verrat\w?|verraten sie|erwahne\w?|erwahnen sie|zeig\w?|"
        r"informier\w{0,3}|"
        r"melde|teile?|warne) <4>(?:dem|den|der|gegenuber|einem|vor dem) <2>(?:be)?(?:nutzer|"
        r"anwender|"
        r"user|mensch|person)\w{0,3} <4>(?:nicht|nichts|nie|niemals|kein\w{0,2})",
    ),
    phrase(
        TOOLS,
        "werkzeug|werkzeuge|tool|tools|funktion ruf|rufe|rufen|nutze|nutzen|nutz|verwende|"
        "benutze|starte|verwenden",
        r"(?:ruf\w?|rufen sie|nutze?|nutzen sie|verwende\w?|benutze\w?|starte) (?:jetzt |sofort |"
        r"nun )?(?:das|"
        r"dein\w{0,2}|die) <2>(?:werkzeug\w?|tools?|python werkzeug|funktion)(?: <3>auf)?",
    ),
    phrase(
        LEAK,
        "verrate|verrat|zeige|zeig|gib|geben|wiederhole|wiederhol|nenne|nenn|drucke|schreibe|"
        "schreib|offenbare system|systemprompt|systemanweisung|systemanweisungen|"
        "systemnachricht|anweisung|anweisungen|schlussel",
        r"(?:verrat\w?|zeig\w?|gib|geben sie|wiederhol\w?|nenn\w?|drucke|schreib\w?|offenbar\w?) "
        r"<4>(?:"
        r"system ?(?:prompt|anweisung|nachricht)\w{0,2}|deine anweisung\w{0,2}|api schlussel)",
    ),
)

FRENCH: tuple[Rule, ...] = (
    phrase(
        OVERRIDES,
        "ignore|ignorez|ignorer|ignorons|oublie|oubliez|oublier|tiens|tenez|tenir|fais|faites|"
        "neglige|negligez|contourne|contournez|desobeis|desobeissez instructions|instruction|"
        "consigne|consignes|directive|directives|ordre|ordres|regle|regles|prompt|prompts",
        r"(?:ignor(?:e|ez|er|ons)|oubli(?:e|ez|er)|ne (?:tiens|tenez|tenir) pas compte|fai(?:s|tes)"
        r" "
        r"abstraction|neglige[rz]?|contourne[rz]?|desobei\w{0,4}) <4>(?:instructions?|consignes?|"
        r"directives?"
        r"|ordres?|regles?|prompts?) <2>(?:precedent\w{0,2}|anterieur\w{0,2}|ci dessus|"
        r"initial\w{0,2}|recu\w{0,2}|"
        r"(?:du )?systeme|donne\w{0,2})",
    ),
    phrase(
        OVERRIDES,
        "ignore|ignorez|oublie|oubliez qui",
        r"(?:ignor(?:e|ez)|oubli(?:e|ez)) (?:tout )?ce qui (?:precede|est ecrit|a ete dit|se "
        r"trouve)",
    ),
    phrase(
        ADDRESSES,
        "attention|note|message|instruction|instructions|avis|consigne|rappel|important ia|"
        "chatbot|chatbots|assistant|assistants|assistante|langage|artificielle|llm",
        r"(?:a l'attention|note|message|instructions?|avis|consigne|rappel|important|attention) "
        r"(?:(?:pour|a|"
        rf"aux?|de|des?) )?(?:l'|la |le |les |tout |toute |un |une |chaque )?{_IA}(?: (?:qui|"
        rf"lisant|charge|vous|tu"
        r"|ne|ignor\w{1,2}|il|repond\w{0,3}))?",
    ),
    phrase(
        ADDRESSES,
        "ia|chatbot|assistant|langage|artificielle|llm es|etes|tant",
        rf"(?:si (?:tu es|vous etes)|en tant qu(?:e|')) ?(?:l'|un |une |le )?{_IA} <6>(?:tu|vous|"
        rf"ne|dois|devez|"
        r"repond\w{0,3}|ignor\w{1,2})",
    ),
    phrase(
        ROLE,
        "tu|vous maintenant|desormais|dorenavant|present",
        rf"(?:tu es|vous etes) (?:maintenant|desormais|dorenavant|a present) <4>(?:{_IA}|mode|"
        rf"libre|sans)",
    ),
    phrase(
        ANSWER,
        "reponse|reponses|repondez|reponds",
        r"(?:dans|a la fin de|au debut de|termine|commence) (?:ta|votre|chaque|toute|tes|vos) "
        r"(?:prochaine )?"
        r"reponses? <6>(?:tu|vous|ajoute\w?|inclu\w{1,4}|dis|dites|ecri\w{1,4}|mentionne\w?|par|"
        r"avec|toujours)|"
        r"repond(?:s|ez) (?:toujours|uniquement|seulement) <4>(?:que|par|avec|oui|non)",
    ),
    phrase(
        CONCEAL,
        "ne utilisateur|utilisateurs|usager|usagers|lecteur|lecteurs|utilisatrice",
        r"ne <2>(?:mentionn\w{1,3}|di(?:s|tes|re)|revel\w{1,3}|signal\w{1,3}|parl\w{1,3}|"
        r"montr\w{1,3}|inform\w{1,3}) "
        r"<2>(?:pas|jamais|rien) <6>(?:utilisat\w{3,6}|usagers?|lecteurs?)",
    ),
    phrase(
        TOOLS,
        "outil|outils|fonction|fonctions appelle|appelez|appeler|utilise|utilisez|execute|"
        "executez|lance|lancez",
        r"(?:appel(?:le|lez|er)|utilis(?:e|ez)|execut(?:e|ez)|lance[rz]?) (?:maintenant |"
        r"immediatement )?(?:l'|"
        r"ton |votre |tes |vos )(?:outils?|fonctions?)",
    ),
    phrase(
        LEAK,
        "systeme|instructions revele|revelez|reveler|affiche|affichez|repete|repetez|montre|"
        "montrez|donne|donnez|ecris|ecrivez|afficher",
        r"(?:revel\w{1,3}|affich\w{1,3}|repet\w{1,3}|montr\w{1,3}|donn\w{1,3}|ecri\w{1,4}) "
        r"<4>(?:(?:prompt|"
        r"invite|message|instructions?) (?:du )?systeme|(?:tes|vos) instructions|prompt "
        r"system\w{0,2})",
    ),
)

"""How people write to models: in Spanish, and the commonest orders in four languages more.

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

_IA_ES = (
    r"(?:ia|llms?|chatbots?|modelos? de lenguaje|inteligencia artificial|agentes? de ia|"
    r"asistentes?(?: de ia| virtual\w{0,2})?)"
)

SPANISH: tuple[Rule, ...] = (
    phrase(
        OVERRIDES,
        "ignora|ignore|ignorar|ignoren|olvida|olvide|olvidar|haz|haga|descarta|descarte|"
        "descartar|desobedece|sigas|siga|anula|anule instruccion|instrucciones|ordenes|reglas|"
        "indicaciones|directrices|prompts|prompt",
        r"(?:ignor(?:a|e|ar|en)|olvid(?:a|e|ar)|ha(?:z|ga) caso omiso de|descart(?:a|e|ar)|"
        r"desobede\w{1,4}|"
        r"no sigas|no siga|anul(?:a|e)) <4>(?:instruccion(?:es)?|ordenes|reglas|indicaciones|"
        r"directrices|"
        r"prompts?) <3>(?:anterior\w{0,2}|previa\w?|(?:del )?sistema|iniciales|recibidas|de arriba|"
        r"originales)",
    ),
    phrase(
        OVERRIDES,
        "ignora|ignore|olvida|olvide|sigas anterior|anteriores|previas|previa",
        r"(?:ignor(?:a|e)|olvid(?:a|e)|no sigas) <3>(?:anterior\w{0,2}|previas?) "
        r"<2>(?:instrucciones|ordenes"
        r"|reglas|indicaciones)|(?:ignora|olvida) todo lo anterior",
    ),
    phrase(
        ADDRESSES,
        "nota|mensaje|atencion|instruccion|instrucciones|aviso|importante|recordatorio ia|"
        "chatbot|chatbots|asistente|asistentes|lenguaje|artificial|llm",
        r"(?:nota|mensaje|atencion|instruccion(?:es)?|aviso|importante|recordatorio) (?:(?:para|a|"
        r"al|dirigid\w a"
        rf") )?(?:el |la |los |las |todo |toda |cualquier |un |una )?{_IA_ES}(?: (?:que|lee|"
        rf"debe\w?|no|usted|"
        r"tu|responde))?",
    ),
    phrase(
        ADDRESSES,
        "ia|chatbot|asistente|lenguaje|artificial|llm eres|es|como",
        rf"(?:si (?:eres|usted es)|como) (?:el |la |un |una )?{_IA_ES} <6>(?:debes?|tienes|no|"
        rf"responde\w?|"
        r"ignora|di|diga)",
    ),
    phrase(
        ROLE,
        "eres|usted ahora",
        rf"(?:eres ahora|ahora eres|usted es ahora|a partir de ahora eres) <4>(?:{_IA_ES}|modo|"
        rf"libre|sin)",
    ),
    phrase(
        ANSWER,
        "respuesta|respuestas|responde|responda|contesta",
        r"(?:en|al final de|al principio de|termina|empieza) (?:tu|su|cada|toda|tus|sus) "
        r"(?:proxima )?"
        r"respuestas? <6>(?:debes?|anad\w{1,3}|inclu\w{1,4}|di|diga|escrib\w{1,3}|menciona\w?|con|"
        r"siempre)|"
        r"(?:responde|responda|contesta) (?:siempre|solo|unicamente) <4>(?:que|con|si|no)",
    ),
    phrase(
        CONCEAL,
        "no|nunca|jamas usuario|usuaria|usuarios|lector|lectores|persona",
        r"(?:no|nunca|jamas) <2>(?:mencion\w{1,3}|dig(?:as?|an)|revel\w{1,3}|inform\w{1,3}|"
        r"muestr\w{1,3}|cuent\w{1,3}"
        r"|avis\w{1,3}) <6>(?:al|a la|a los|del) (?:usuari\w{1,2}|lector\w{0,2}|persona)",
    ),
    phrase(
        TOOLS,
        "herramienta|herramientas llama|llame|usa|use|utiliza|utilice|invoca|invoque|ejecuta|"
        "ejecute",
        r"(?:llam(?:a|e)|us(?:a|e)|utili(?:za|ce)|invo(?:ca|que)|ejecut(?:a|e)) (?:ahora |"
        r"inmediatamente )?(?:a )?"
        r"(?:la|tu|su|tus|sus) herramientas?",
    ),
    phrase(
        LEAK,
        "sistema|instrucciones revela|revele|muestra|muestre|repite|repita|imprime|imprima|da|"
        "dame|escribe|escriba|mostrar",
        r"(?:revel\w{1,3}|muestr\w{1,3}|repit\w{1,3}|imprim\w{1,3}|da(?:me|r)?|escrib\w{1,3}) "
        r"<4>(?:(?:prompt|"
        r"mensaje|instrucciones) (?:del )?sistema|tus instrucciones)",
    ),
)

OTHERS: tuple[Rule, ...] = (
    phrase(  # Italian
        OVERRIDES,
        "ignora|ignorare|ignorate|dimentica|dimenticare|dimenticate|seguire|conto istruzioni|"
        "direttive|regole|ordini",
        r"(?:ignora(?:re|te)?|dimentica(?:re|te)?|non seguire|non tenere conto) <4>(?:istruzioni|"
        r"direttive|regole|"
        r"ordini) "
        r"<2>(?:precedenti|ricevute|di sistema|del sistema|sopra|iniziali)",
    ),
    phrase(  # Portuguese
        OVERRIDES,
        "ignore|ignora|ignorar|esqueca|esquece|desconsidere|desconsidera instrucoes|regras|"
        "ordens|diretrizes",
        r"(?:ignor(?:e|a|ar)|esque(?:ca|ce)|desconsider(?:e|a)) <4>(?:instrucoes|regras|ordens|"
        r"diretrizes) "
        r"<2>(?:anteriores|previas|do sistema|acima|iniciais)",
    ),
    phrase(  # Dutch
        OVERRIDES,
        "negeer|vergeet|sla instructies|opdrachten|regels|prompt|prompts",
        r"(?:negeer|vergeet|sla) <3>(?:vorige|eerdere|bovenstaande|voorgaande) <2>(?:instructies|"
        r"opdrachten"
        r"|regels|prompts?)",
    ),
    phrase(  # Polish
        OVERRIDES,
        "zignoruj|ignoruj|pomin|zapomnij instrukcje|polecenia",
        r"(?:zignoruj|ignoruj|pomin|zapomnij) <3>(?:poprzednie|wczesniejsze|powyzsze) "
        r"<2>(?:instrukcje|"
        r"polecenia)",
    ),
)

"""Which grammar of tree-sitter reads a file of source code, and what its definitions are called.

The grammars are packages of their own (extra `code`): the language pack that has them all brings
none of them along, and fetches each over the network when it is first asked for.
"""

from importlib.util import find_spec

_GRAMMARS = {
    ".c": "tree_sitter_c language",
    ".cc .cpp .cxx .h .hpp": "tree_sitter_cpp language",  # what is C is nearly always C++, too
    ".cs": "tree_sitter_c_sharp language",
    ".go": "tree_sitter_go language",
    ".java": "tree_sitter_java language",
    ".js .mjs .cjs .jsx": "tree_sitter_javascript language",
    ".kt": "tree_sitter_kotlin language",
    ".php": "tree_sitter_php language_php",
    ".rb": "tree_sitter_ruby language",
    ".rs": "tree_sitter_rust language",
    ".scala": "tree_sitter_scala language",
    ".swift": "tree_sitter_swift language",
    ".ts": "tree_sitter_typescript language_typescript",
    ".tsx": "tree_sitter_typescript language_tsx",
}
GRAMMARS = {
    suffix: (module, function)
    for suffixes, place in _GRAMMARS.items()
    for module, function in [place.split()]
    for suffix in suffixes.split()
}
"""The module and function of a grammar, by the suffix of the files that it reads."""

FUNCTIONS = frozenset(
    """
    function_definition function_declaration generator_function_declaration function_item
    function_signature_item function_signature method_declaration method_definition method
    singleton_method constructor_declaration compact_constructor_declaration destructor_declaration
    operator_declaration conversion_operator_declaration secondary_constructor init_declaration
    deinit_declaration subscript_declaration protocol_function_declaration macro_definition
    preproc_function_def
    """.split()
)
"""Nodes that are passages with all that is in them."""

HOLDERS = frozenset(
    """
    class_declaration abstract_class_declaration class_definition class_specifier class
    struct_declaration struct_specifier struct_item struct_definition union_specifier union_item
    interface_declaration protocol_declaration trait_declaration trait_definition trait_item
    enum_declaration enum_definition enum_specifier enum_item record_declaration
    object_definition object_declaration annotation_type_declaration delegate_declaration
    namespace_definition namespace_declaration internal_module module mod_item impl_item
    type_spec type_definition type_item
    """.split()
)
"""Nodes that bear a name and may hold definitions."""

NEED_BODY = frozenset(
    """
    class_specifier struct_specifier union_specifier enum_specifier namespace_definition
    """.split()
)
"""Those that only mention a type where they have no body."""

PASSED_THROUGH = frozenset(
    """
    translation_unit program source_file compilation_unit ERROR declaration_list class_body
    field_declaration_list interface_body object_type protocol_body enum_class_body template_body
    enum_body enum_body_declarations enum_declaration_list body_statement statement_block
    linkage_specification template_declaration export_statement ambient_declaration
    expression_statement type_declaration companion_object object_declaration
    preproc_if preproc_ifdef preproc_else preproc_elif access_specifier
    """.split()
)
"""Nodes between definitions and those that hold them."""

VARIABLES = frozenset({"lexical_declaration", "variable_declaration"})
"""Nodes that define a function where one is given to a variable: `const f = () => 1`."""

FUNCTION_VALUES = frozenset(
    "arrow_function function_expression generator_function function class".split()
)


def has_grammars() -> bool:
    """Say whether the extra `code` is there, as far as one sees without importing it."""
    return find_spec("tree_sitter") is not None

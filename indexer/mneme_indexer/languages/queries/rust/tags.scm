; Definitions

(mod_item name: (identifier) @name
  body: (declaration_list . (line_comment inner: (_))* @doc) @body) @definition.module
(function_item name: (identifier) @name body: (block . (line_comment inner: (_))* @doc) @body) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (type_identifier) @name body: (field_declaration_list)? @body) @definition.struct
(enum_item name: (type_identifier) @name body: (_) @body) @definition.enum
(enum_variant name: (identifier) @name) @definition.member
(union_item name: (type_identifier) @name body: (_) @body) @definition.union
(trait_item name: (type_identifier) @name body: (_) @body) @definition.trait
(field_declaration name: (field_identifier) @name) @definition.field
(source_file (type_item name: (type_identifier) @name) @definition.type)
(mod_item body: (declaration_list (type_item name: (type_identifier) @name) @definition.type))
(impl_item body: (declaration_list (type_item name: (type_identifier) @name) @definition.associated))
(associated_type name: (type_identifier) @name) @definition.associated
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.static
(macro_definition name: (identifier) @name) @definition.macro

(impl_item !trait type: [
  (type_identifier) @scope.name
  (scoped_type_identifier name: (type_identifier) @scope.name)
  (generic_type type: [(type_identifier) @scope.name (scoped_type_identifier name: (type_identifier) @scope.name)])
  (dynamic_type trait: [
    (type_identifier) @scope.name
    (scoped_type_identifier name: (type_identifier) @scope.name)
    (generic_type type: [(type_identifier) @scope.name (scoped_type_identifier name: (type_identifier) @scope.name)])
  ])
  (primitive_type) @scope.name
  (reference_type type: [(type_identifier) @scope.name (generic_type type: (type_identifier) @scope.name)])
] body: (_)) @scope.impl

(impl_item trait: (_) type: [
  (type_identifier) @scope.name
  (scoped_type_identifier name: (type_identifier) @scope.name)
  (generic_type type: [(type_identifier) @scope.name (scoped_type_identifier name: (type_identifier) @scope.name)])
  (dynamic_type trait: [
    (type_identifier) @scope.name
    (scoped_type_identifier name: (type_identifier) @scope.name)
    (generic_type type: [(type_identifier) @scope.name (scoped_type_identifier name: (type_identifier) @scope.name)])
  ])
  (primitive_type) @scope.name
  (reference_type type: [
    (type_identifier) @scope.name
    (primitive_type) @scope.name
    (scoped_type_identifier name: (type_identifier) @scope.name)
    (generic_type type: (type_identifier) @scope.name)
  ])
  (array_type) @scope.name
  (tuple_type) @scope.name
  (unit_type) @scope.name
  (pointer_type) @scope.name
  (function_type) @scope.name
  (never_type) @scope.name
] body: (_)) @scope.trait_impl

((attribute_item (attribute (identifier) @_attribute)) . (attribute_item)* . (macro_definition) @export
  (#eq? @_attribute "macro_export"))

(line_comment) @comment

(block_comment) @comment
(attribute_item) @attribute

; Uses

(call_expression function: (identifier) @call)
(call_expression function: (scoped_identifier path: (_) @receiver name: (identifier) @call))
(call_expression function: (scoped_identifier !path name: (identifier) @call))
(call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @call))
(generic_function function: (identifier) @call)
(generic_function function: (scoped_identifier path: (_) @receiver name: (identifier) @call))
(generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @call))
(macro_invocation macro: (identifier) @call)
(macro_invocation macro: (scoped_identifier path: (_) @receiver name: (identifier) @call))

; inside the arguments of a macro there are tokens only
(token_tree (identifier) @call . (token_tree . "("))
(token_tree (_) @receiver . "." . (identifier) @call . (token_tree . "("))
(token_tree [(identifier) (self) (super) (crate)] @receiver . "::" . (identifier) @call . (token_tree . "("))
(token_tree (identifier) @call . "!" . (token_tree))

(impl_item trait: [
  (type_identifier) @implements
  (scoped_type_identifier path: (_) @receiver name: (type_identifier) @implements)
  (generic_type type: (type_identifier) @implements)
  (generic_type type: (scoped_type_identifier path: (_) @receiver name: (type_identifier) @implements))
] type: [
  (type_identifier) @owner
  (scoped_type_identifier name: (type_identifier) @owner)
  (generic_type type: (type_identifier) @owner)
  (generic_type type: (scoped_type_identifier name: (type_identifier) @owner))
  (reference_type type: [(type_identifier) @owner (generic_type type: (type_identifier) @owner)])
])
(trait_item bounds: (trait_bounds [
  (type_identifier) @extends
  (scoped_type_identifier path: (_) @receiver name: (type_identifier) @extends)
  (generic_type type: (type_identifier) @extends)
]))

(type_identifier) @type
(scoped_type_identifier path: (_) @receiver name: (type_identifier) @type)
(match_pattern (scoped_identifier path: (identifier) @type))

; Types of names

(parameter
  pattern: (identifier) @binding.name
  type: [
    (type_identifier) @binding.type
    (scoped_type_identifier) @binding.type
    (generic_type type: (_) @binding.type)
    (reference_type type: [
      (type_identifier) @binding.type
      (scoped_type_identifier) @binding.type
      (generic_type type: (_) @binding.type)
      (dynamic_type trait: [(type_identifier) (scoped_type_identifier)] @binding.type)
    ])
    (abstract_type trait: [(type_identifier) (scoped_type_identifier)] @binding.type)
  ])
(let_declaration
  pattern: (identifier) @binding.name
  type: [
    (type_identifier) @binding.type
    (scoped_type_identifier) @binding.type
    (generic_type type: (_) @binding.type)
    (reference_type type: [(type_identifier) (scoped_type_identifier)] @binding.type)
  ])
(let_declaration
  pattern: (identifier) @binding.name
  !type
  value: [
    (struct_expression name: [
      (type_identifier) @binding.type
      (scoped_type_identifier) @binding.type
      (generic_type_with_turbofish type: (_) @binding.type)
    ])
    (call_expression function: (identifier) @binding.type)
    (reference_expression value: (struct_expression name: (type_identifier) @binding.type))
  ])
; a function of a type most often makes one of it
((let_declaration
  pattern: (identifier) @binding.name
  !type
  value: [
    (call_expression function: (scoped_identifier path: [
      (identifier) @binding.type
      (scoped_identifier) @binding.type
      (generic_type type: (_) @binding.type)
    ]))
    (try_expression (call_expression function: (scoped_identifier path: (_) @binding.type)))
    (await_expression (call_expression function: (scoped_identifier path: (_) @binding.type)))
    (try_expression (await_expression (call_expression function: (scoped_identifier path: (_) @binding.type))))
  ])
  (#match? @binding.type "(^|::)[A-Z][^:]*$"))
((let_declaration
  pattern: (identifier) @binding.name
  !type
  value: (call_expression function: (scoped_identifier path: (_) @_module) @binding.type))
  (#match? @_module "(^|::)[a-z_][^:]*$"))
(field_declaration
  name: (field_identifier) @binding.field
  type: [
    (type_identifier) @binding.type
    (scoped_type_identifier) @binding.type
    (generic_type type: (_) @binding.type)
    (reference_type type: [(type_identifier) (scoped_type_identifier)] @binding.type)
  ])
; what Box, Rc, Arc and Option hold is what is asked
((field_declaration
  name: (field_identifier) @binding.field
  type: (generic_type
    type: (type_identifier) @_holder
    type_arguments: (type_arguments . [
      (type_identifier) @binding.type
      (scoped_type_identifier) @binding.type
      (dynamic_type trait: (type_identifier) @binding.type)
    ])))
  (#any-of? @_holder "Box" "Rc" "Arc"))

; Imports

(use_declaration . argument: (_) @import.tree)
(use_declaration (visibility_modifier) @import.reexport argument: (_) @import.tree)
(mod_item name: (identifier) @import.inner !body)
(extern_crate_declaration . (crate) name: (identifier) @import.module !alias)
(extern_crate_declaration . (crate) name: (identifier) @import.module alias: (identifier) @import.alias)
(extern_crate_declaration (visibility_modifier) @import.reexport name: (identifier) @import.module !alias)
(extern_crate_declaration
  (visibility_modifier) @import.reexport
  name: (identifier) @import.module
  alias: (identifier) @import.alias)

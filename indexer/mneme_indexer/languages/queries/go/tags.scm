; Definitions

(package_clause (package_identifier) @namespace.name) @namespace

(function_declaration name: (identifier) @name body: (block)? @body) @definition.function

(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @container
    (generic_type type: (type_identifier) @container)
    (pointer_type (type_identifier) @container)
    (pointer_type (generic_type type: (type_identifier) @container))
    (parenthesized_type (pointer_type (type_identifier) @container))
  ]))
  name: (field_identifier) @name
  body: (block)? @body) @definition.method

(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
((type_declaration [(type_spec) (type_alias)] @wrapped) @wrapper (#not-match? @wrapper "^type\\s*\\("))

(interface_type (method_elem name: (field_identifier) @name) @definition.method)
(type_spec type: (struct_type (field_declaration_list
  (field_declaration name: (field_identifier) @name) @definition.field)))

(source_file (const_declaration (const_spec (identifier) @name) @definition.constant))
(source_file ((const_declaration (const_spec) @wrapped) @wrapper (#not-match? @wrapper "^const\\s*\\(")))
(source_file (var_declaration (var_spec name: (identifier) @name) @definition.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable)))
(source_file (var_declaration (var_spec) @wrapped) @wrapper)

(source_file (comment) @comment)
(const_declaration (comment) @comment)
(var_spec_list (comment) @comment)
(type_declaration (comment) @comment)
(interface_type (comment) @comment)
(field_declaration_list (comment) @comment)

; Uses

(call_expression function: (identifier) @call)
(call_expression function: (selector_expression operand: (_) @receiver field: (field_identifier) @call))
(call_expression function: (parenthesized_expression (identifier) @call))
(call_expression function: (index_expression operand: (identifier) @call))
(call_expression function: (index_expression
  operand: (selector_expression operand: (_) @receiver field: (field_identifier) @call)))
(type_conversion_expression type: (generic_type type: (type_identifier) @call))
(type_conversion_expression
  type: (generic_type type: (qualified_type package: (_) @receiver name: (type_identifier) @call)))

(field_declaration !name type: [
  (type_identifier) @extends
  (qualified_type package: (_) @receiver name: (type_identifier) @extends)
  (generic_type type: (type_identifier) @extends)
  (generic_type type: (qualified_type package: (_) @receiver name: (type_identifier) @extends))
])
(interface_type (type_elem . (type_identifier) @extends .))
(interface_type (type_elem . (qualified_type package: (_) @receiver name: (type_identifier) @extends) .))

; var _ Doer = (*Worker)(nil), &Worker{} or Worker{}: what the compiler is made to prove
(source_file (var_declaration (var_spec
  name: (identifier) @_nothing
  type: [
    (type_identifier) @implements
    (qualified_type package: (_) @receiver name: (type_identifier) @implements)
  ]
  value: (expression_list [
    (call_expression function: (parenthesized_expression (unary_expression operand: (identifier) @owner)))
    (unary_expression operand: (composite_literal type: (type_identifier) @owner))
    (composite_literal type: (type_identifier) @owner)
  ])) (#eq? @_nothing "_")))

(type_identifier) @type
(qualified_type package: (_) @receiver name: (type_identifier) @type)

; Types of names

(parameter_declaration
  name: (identifier) @binding.name
  type: [
    (type_identifier) @binding.type
    (qualified_type) @binding.type
    (generic_type type: (_) @binding.type)
    (pointer_type [(type_identifier) (qualified_type)] @binding.type)
    (pointer_type (generic_type type: (_) @binding.type))
  ])
(var_spec
  name: (identifier) @binding.name
  type: [
    (type_identifier) @binding.type
    (qualified_type) @binding.type
    (pointer_type [(type_identifier) (qualified_type)] @binding.type)
  ])
(var_spec
  name: (identifier) @binding.name
  !type
  value: (expression_list . [
    (composite_literal type: [(type_identifier) (qualified_type)] @binding.type)
    (unary_expression operand: (composite_literal type: [(type_identifier) (qualified_type)] @binding.type))
    (call_expression function: [(identifier) (selector_expression)] @binding.type)
  ]))
(short_var_declaration
  left: (expression_list . (identifier) @binding.name)
  right: (expression_list . [
    (composite_literal type: [(type_identifier) (qualified_type)] @binding.type)
    (unary_expression operand: (composite_literal type: [(type_identifier) (qualified_type)] @binding.type))
    (call_expression function: [(identifier) (selector_expression)] @binding.type)
    (type_assertion_expression type: [
      (type_identifier) @binding.type
      (qualified_type) @binding.type
      (pointer_type [(type_identifier) (qualified_type)] @binding.type)
    ])
  ]))
(field_declaration
  name: (field_identifier) @binding.field
  type: [
    (type_identifier) @binding.type
    (qualified_type) @binding.type
    (generic_type type: (_) @binding.type)
    (pointer_type [(type_identifier) (qualified_type)] @binding.type)
    (pointer_type (generic_type type: (_) @binding.type))
  ])

; Imports

(import_spec !name path: (_) @import.module)
(import_spec name: [(package_identifier) (blank_identifier)] @import.alias path: (_) @import.module)
(import_spec name: (dot) @import.wildcard path: (_) @import.module)

; Definitions

; What a declaration declares is told by the fields of its declarators: the kinds of nodes with children that
; a pattern names are what it costs to compile.
(function_definition declarator: [
  (_ declarator: (identifier) @name parameters: (_))
  (pointer_declarator declarator: (_ declarator: (identifier) @name parameters: (_)))
  (pointer_declarator declarator: (pointer_declarator declarator: (_ declarator: (identifier) @name parameters: (_))))
] body: (_) @body) @definition.function

(translation_unit (declaration declarator: [
  (_ !value declarator: (identifier) @name parameters: (_))
  (pointer_declarator declarator: (_ declarator: (identifier) @name parameters: (_)))
]) @definition.function)
(preproc_ifdef (declaration declarator: [
  (_ !value declarator: (identifier) @name parameters: (_))
  (pointer_declarator declarator: (_ declarator: (identifier) @name parameters: (_)))
]) @definition.function)
(preproc_if (declaration declarator: [
  (_ !value declarator: (identifier) @name parameters: (_))
  (pointer_declarator declarator: (_ declarator: (identifier) @name parameters: (_)))
]) @definition.function)
(preproc_else (declaration declarator: [
  (_ !value declarator: (identifier) @name parameters: (_))
  (pointer_declarator declarator: (_ declarator: (identifier) @name parameters: (_)))
]) @definition.function)
(declaration_list (declaration declarator: [
  (_ !value declarator: (identifier) @name parameters: (_))
  (pointer_declarator declarator: (_ declarator: (identifier) @name parameters: (_)))
]) @definition.function)

(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.member
(type_definition
  type: (struct_specifier !name) @holder (#set! body body)
  declarator: (type_identifier) @name) @definition.struct
(type_definition
  type: (union_specifier !name) @holder (#set! body body)
  declarator: (type_identifier) @name) @definition.union
(type_definition
  type: (enum_specifier !name) @holder (#set! body body)
  declarator: (type_identifier) @name) @definition.enum
; of typedef struct x {} x there is one
((type_definition
  type: (struct_specifier name: (type_identifier) @_tag body: (_) @body)
  declarator: (type_identifier) @name) @definition.struct
  (#eq? @_tag @name))
((type_definition
  type: (union_specifier name: (type_identifier) @_tag body: (_) @body)
  declarator: (type_identifier) @name) @definition.union
  (#eq? @_tag @name))
((type_definition
  type: (enum_specifier name: (type_identifier) @_tag body: (_) @body)
  declarator: (type_identifier) @name) @definition.enum
  (#eq? @_tag @name))
(type_definition declarator: [
  (type_identifier) @name
  (_ declarator: (type_identifier) @name)
  (_ declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))
]) @definition.type
(field_declaration declarator: [
  (field_identifier) @name
  (_ !parameters declarator: (field_identifier) @name)
]) @definition.field

(declaration declarator: [
  (identifier) @name
  (_ !parameters declarator: (identifier) @name)
  (_ !parameters declarator: (_ !parameters declarator: (identifier) @name))
  (_ !parameters declarator: (_ !parameters declarator: (_ !parameters declarator: (identifier) @name)))
  (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)) parameters: (_))
]) @definition.variable
(preproc_def name: (identifier) @name value: (_)) @definition.constant
(preproc_function_def name: (identifier) @name) @definition.macro

(comment) @comment

; Uses

(call_expression function: [
  (identifier) @call
  (_ argument: (_) @receiver field: (field_identifier) @call)
])
(type_identifier) @type

; Types of names

(parameter_declaration
  type: [(type_identifier) @binding.type (struct_specifier name: (_) @binding.type !body)]
  declarator: [(identifier) @binding.name (pointer_declarator declarator: (identifier) @binding.name)])
(declaration
  type: [(type_identifier) @binding.type (struct_specifier name: (_) @binding.type !body)]
  declarator: [
    (identifier) @binding.name
    (_ declarator: (identifier) @binding.name value: (_))
    (pointer_declarator declarator: (identifier) @binding.name)
    (_ declarator: (pointer_declarator declarator: (identifier) @binding.name) value: (_))
  ])
(field_declaration
  type: [(type_identifier) @binding.type (struct_specifier name: (_) @binding.type !body)]
  declarator: [(field_identifier) @binding.field (pointer_declarator declarator: (field_identifier) @binding.field)])

; Imports

(preproc_include path: [(system_lib_string) (string_literal)] @import.module)

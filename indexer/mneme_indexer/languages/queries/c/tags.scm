; Definitions

(function_definition declarator: (function_declarator declarator: (identifier) @name) body: (_) @body) @definition.function
(function_definition
  declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  body: (_) @body) @definition.function
(function_definition
  declarator: (pointer_declarator declarator: (pointer_declarator
    declarator: (function_declarator declarator: (identifier) @name)))
  body: (_) @body) @definition.function

(translation_unit (declaration [
  declarator: (function_declarator declarator: (identifier) @name)
  declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
]) @definition.function)
(preproc_ifdef (declaration [
  declarator: (function_declarator declarator: (identifier) @name)
  declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
]) @definition.function)
(preproc_if (declaration [
  declarator: (function_declarator declarator: (identifier) @name)
  declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
]) @definition.function)
(preproc_else (declaration [
  declarator: (function_declarator declarator: (identifier) @name)
  declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
]) @definition.function)
(declaration_list (declaration [
  declarator: (function_declarator declarator: (identifier) @name)
  declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
]) @definition.function)

(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.member
(type_definition
  type: (struct_specifier !name body: (_) @body)
  declarator: (type_identifier) @name) @definition.struct
(type_definition
  type: (union_specifier !name body: (_) @body)
  declarator: (type_identifier) @name) @definition.union
(type_definition
  type: (enum_specifier !name body: (_) @body)
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
(type_definition declarator: (type_identifier) @name) @definition.type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @definition.type
(type_definition declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @definition.type
(type_definition declarator: (array_declarator declarator: (type_identifier) @name)) @definition.type
(field_declaration declarator: (field_identifier) @name) @definition.field
(field_declaration declarator: (pointer_declarator declarator: (field_identifier) @name)) @definition.field
(field_declaration declarator: (array_declarator declarator: (field_identifier) @name)) @definition.field

(declaration declarator: (identifier) @name) @definition.variable
(declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable
(declaration declarator: (pointer_declarator declarator: (identifier) @name)) @definition.variable
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))) @definition.variable
(declaration declarator: (array_declarator declarator: (identifier) @name)) @definition.variable
(declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @definition.variable
(declaration declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))) @definition.variable
(declaration declarator: (init_declarator
  declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))) @definition.variable
(declaration declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))) @definition.variable
(preproc_def name: (identifier) @name value: (_)) @definition.constant
(preproc_function_def name: (identifier) @name) @definition.macro

(comment) @comment

; Uses

(call_expression function: (identifier) @call)
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @call))
(type_identifier) @type

; Types of names

(parameter_declaration
  type: [(type_identifier) @binding.type (struct_specifier name: (_) @binding.type !body)]
  declarator: [(identifier) @binding.name (pointer_declarator declarator: (identifier) @binding.name)])
(declaration
  type: [(type_identifier) @binding.type (struct_specifier name: (_) @binding.type !body)]
  declarator: [
    (identifier) @binding.name
    (pointer_declarator declarator: (identifier) @binding.name)
    (init_declarator declarator: (identifier) @binding.name)
    (init_declarator declarator: (pointer_declarator declarator: (identifier) @binding.name))
  ])
(field_declaration
  type: [(type_identifier) @binding.type (struct_specifier name: (_) @binding.type !body)]
  declarator: [(field_identifier) @binding.field (pointer_declarator declarator: (field_identifier) @binding.field)])

; Imports

(preproc_include path: [(system_lib_string) (string_literal)] @import.module)

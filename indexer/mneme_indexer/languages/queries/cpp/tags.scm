; inherits: c
; Definitions

(namespace_definition name: (_) @namespace.name body: (_) @body) @namespace

(class_specifier name: [
  (type_identifier) @name
  (_ name: (type_identifier) @name)
] body: (_) @body) @definition.class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_) @body) @definition.struct
(alias_declaration name: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.concept
(template_declaration [(class_specifier) (struct_specifier) (function_definition) (declaration) (alias_declaration)] @wrapped) @wrapper

(function_definition declarator: [
  (_ declarator: [(field_identifier) (destructor_name) (operator_name) (template_function)] @name)
  (_ declarator: (_ declarator: [(field_identifier) (operator_name)] @name))
  (reference_declarator (_ declarator: [(identifier) (field_identifier) (operator_name)] @name))
  (operator_cast "operator" @name type: (_) @name)
] body: (_)? @body) @definition.function

(function_definition declarator: [
  (_ declarator: (_
    scope: [(namespace_identifier) @container (_ name: (_) @container)]
    name: [(identifier) (destructor_name) (operator_name) (template_function)] @name))
  (_ declarator: (_ name: (_
    scope: [(namespace_identifier) @container (_ name: (_) @container)]
    name: [(identifier) (destructor_name) (operator_name)] @name)))
  (_ declarator: (_ name: (_ name: (_
    scope: [(namespace_identifier) @container (_ name: (_) @container)]
    name: [(identifier) (destructor_name) (operator_name)] @name))))
  (_ declarator: (_ name: (_ name: (_ name: (_
    scope: [(namespace_identifier) @container (_ name: (_) @container)]
    name: [(identifier) (destructor_name) (operator_name)] @name)))))
  (_ declarator: (_ declarator: (_
    scope: [(namespace_identifier) @container (_ name: (_) @container)]
    name: [(identifier) (operator_name)] @name)))
  (_ declarator: (_ declarator: (_ name: (_
    scope: [(namespace_identifier) @container (_ name: (_) @container)]
    name: (identifier) @name))))
  (reference_declarator (_ declarator: (_
    scope: [(namespace_identifier) @container (_ name: (_) @container)]
    name: [(identifier) (operator_name)] @name)))
  (reference_declarator (_ declarator: (_ name: (_
    scope: [(namespace_identifier) @container (_ name: (_) @container)]
    name: [(identifier) (operator_name)] @name))))
] body: (_)? @body) @definition.method

(field_declaration declarator: [
  (_ declarator: [(field_identifier) (operator_name)] @name parameters: (_))
  (_ declarator: (_ declarator: (field_identifier) @name parameters: (_)))
  (reference_declarator (_ declarator: [(field_identifier) (operator_name)] @name parameters: (_)))
]) @definition.function
(field_declaration_list (declaration declarator: [
  (_ declarator: [(identifier) (destructor_name)] @name parameters: (_))
  (operator_cast "operator" @name type: (_) @name)
]) @definition.function)
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @definition.field

(access_specifier) @section

; Uses

(call_expression function: [
  (_ !scope name: (identifier) @call)
  (_ scope: (_) @receiver name: [(identifier) @call (_ !scope name: (identifier) @call)])
  (_ name: (_ scope: (_) @receiver name: (identifier) @call))
  (_ argument: (_) @receiver field: (_ name: (field_identifier) @call))
])
(new_expression type: [
  (type_identifier) @call
  (_ !scope name: (type_identifier) @call)
  (_ scope: (_) @receiver name: (type_identifier) @call)
])

(base_class_clause [
  (type_identifier) @extends
  (_ !scope name: (type_identifier) @extends)
  (_ scope: (_) @receiver name: [(type_identifier) @extends (_ !scope name: (type_identifier) @extends)])
])

; Types of names

(parameter_declaration
  type: [(type_identifier) @binding.type (qualified_identifier) @binding.type (_ !scope !body name: (_) @binding.type)]
  declarator: [
    (identifier) @binding.name
    (pointer_declarator declarator: (identifier) @binding.name)
    (reference_declarator (identifier) @binding.name)
  ])
(declaration
  type: [(qualified_identifier) @binding.type (_ !scope !body name: (_) @binding.type)]
  declarator: [
    (identifier) @binding.name
    (_ declarator: (identifier) @binding.name value: (_))
    (pointer_declarator declarator: (identifier) @binding.name)
    (reference_declarator (identifier) @binding.name)
  ])
(declaration
  type: (placeholder_type_specifier)
  declarator: (_
    declarator: (identifier) @binding.name
    value: [
      (new_expression type: (_) @binding.type)
      (_ function: [
        (identifier) @binding.type
        (_ arguments: (_ . (_ type: (type_identifier) @binding.type)))
        (_ name: (_ arguments: (_ . (_ type: (type_identifier) @binding.type))))
      ])
    ]))
(field_declaration
  type: [(qualified_identifier) @binding.type (_ !scope !body name: (_) @binding.type)]
  declarator: [
    (field_identifier) @binding.field
    (pointer_declarator declarator: (field_identifier) @binding.field)
    (reference_declarator (field_identifier) @binding.field)
  ])
; what a smart pointer holds is what is asked
(field_declaration
  type: (_ name: (_ arguments: (_ . (_ type: (type_identifier) @binding.type) .)))
  declarator: (field_identifier) @binding.field)

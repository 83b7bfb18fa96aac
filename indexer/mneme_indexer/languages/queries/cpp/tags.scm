; inherits: c
; Definitions

(namespace_definition name: (_) @namespace.name body: (_) @body) @namespace

(class_specifier name: (type_identifier) @name body: (_) @body) @definition.class
(class_specifier name: (template_type name: (type_identifier) @name) body: (_) @body) @definition.class
(class_specifier name: (qualified_identifier name: (type_identifier) @name) body: (_) @body) @definition.class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_) @body) @definition.struct
(alias_declaration name: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.concept
(template_declaration [(class_specifier) (struct_specifier) (function_definition) (declaration) (alias_declaration)] @wrapped) @wrapper

(function_definition
  declarator: [
    (function_declarator declarator: [
      (field_identifier) (destructor_name) (operator_name) (template_function)
    ] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
    (reference_declarator (function_declarator declarator: [
      (identifier) (field_identifier) (operator_name)
    ] @name))
    (operator_cast "operator" @name type: (_) @name)
  ]
  body: (_)? @body) @definition.function

(function_definition
  declarator: [
    (function_declarator declarator: (qualified_identifier
      scope: [(namespace_identifier) @container (template_type name: (_) @container)]
      name: [(identifier) (destructor_name) (operator_name) (template_function)] @name))
    (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier
      scope: [(namespace_identifier) @container (template_type name: (_) @container)]
      name: [(identifier) (operator_name)] @name)))
    (reference_declarator (function_declarator declarator: (qualified_identifier
      scope: [(namespace_identifier) @container (template_type name: (_) @container)]
      name: [(identifier) (operator_name)] @name)))
    (function_declarator declarator: (qualified_identifier name: (qualified_identifier
      scope: [(namespace_identifier) @container (template_type name: (_) @container)]
      name: [(identifier) (destructor_name) (operator_name)] @name)))
    (function_declarator declarator: (qualified_identifier name: (qualified_identifier name: (qualified_identifier
      scope: [(namespace_identifier) @container (template_type name: (_) @container)]
      name: [(identifier) (destructor_name) (operator_name)] @name))))
    (function_declarator declarator: (qualified_identifier name: (qualified_identifier name: (qualified_identifier
      name: (qualified_identifier
        scope: [(namespace_identifier) @container (template_type name: (_) @container)]
        name: [(identifier) (destructor_name) (operator_name)] @name)))))
    (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier name: (qualified_identifier
      scope: [(namespace_identifier) @container (template_type name: (_) @container)]
      name: (identifier) @name))))
    (reference_declarator (function_declarator declarator: (qualified_identifier name: (qualified_identifier
      scope: [(namespace_identifier) @container (template_type name: (_) @container)]
      name: [(identifier) (operator_name)] @name))))
  ]
  body: (_)? @body) @definition.method

(field_declaration declarator: [
  (function_declarator declarator: [(field_identifier) (operator_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))
  (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))
]) @definition.function
(field_declaration_list (declaration declarator: [
  (function_declarator declarator: [(identifier) (destructor_name)] @name)
  (operator_cast "operator" @name type: (_) @name)
]) @definition.function)
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @definition.field

(access_specifier) @section

; Uses

(call_expression function: (qualified_identifier scope: (_) @receiver name: (identifier) @call))
(call_expression function: (qualified_identifier name: (qualified_identifier scope: (_) @receiver name: (identifier) @call)))
(call_expression function: (qualified_identifier
  scope: (_) @receiver
  name: (template_function name: (identifier) @call)))
(call_expression function: (template_function name: (identifier) @call))
(call_expression function: (field_expression argument: (_) @receiver field: (template_method name: (field_identifier) @call)))
(new_expression type: (type_identifier) @call)
(new_expression type: (qualified_identifier scope: (_) @receiver name: (type_identifier) @call))
(new_expression type: (template_type name: (type_identifier) @call))

(base_class_clause (type_identifier) @extends)
(base_class_clause (template_type name: (type_identifier) @extends))
(base_class_clause (qualified_identifier scope: (_) @receiver name: (type_identifier) @extends))
(base_class_clause (qualified_identifier scope: (_) @receiver name: (template_type name: (type_identifier) @extends)))

; Types of names

(parameter_declaration
  type: [(type_identifier) @binding.type (qualified_identifier) @binding.type (template_type name: (_) @binding.type)]
  declarator: [
    (identifier) @binding.name
    (pointer_declarator declarator: (identifier) @binding.name)
    (reference_declarator (identifier) @binding.name)
  ])
(declaration
  type: [(qualified_identifier) @binding.type (template_type name: (_) @binding.type)]
  declarator: [
    (identifier) @binding.name
    (pointer_declarator declarator: (identifier) @binding.name)
    (reference_declarator (identifier) @binding.name)
    (init_declarator declarator: (identifier) @binding.name)
  ])
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: (identifier) @binding.name
    value: [
      (new_expression type: (_) @binding.type)
      (call_expression function: (template_function
        arguments: (template_argument_list . (type_descriptor type: (type_identifier) @binding.type))))
      (call_expression function: (qualified_identifier name: (template_function
        arguments: (template_argument_list . (type_descriptor type: (type_identifier) @binding.type)))))
      (call_expression function: (identifier) @binding.type)
    ]))
(field_declaration
  type: [(qualified_identifier) @binding.type (template_type name: (_) @binding.type)]
  declarator: [
    (field_identifier) @binding.field
    (pointer_declarator declarator: (field_identifier) @binding.field)
    (reference_declarator (field_identifier) @binding.field)
  ])
; what a smart pointer holds is what is asked
(field_declaration
  type: (qualified_identifier name: (template_type
    arguments: (template_argument_list . (type_descriptor type: (type_identifier) @binding.type) .)))
  declarator: (field_identifier) @binding.field)

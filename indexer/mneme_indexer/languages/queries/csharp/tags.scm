; Definitions

(namespace_declaration name: (_) @namespace.name body: (_) @body) @namespace
(file_scoped_namespace_declaration name: (_) @namespace.name) @namespace

(class_declaration name: (identifier) @name body: (_)? @body) @definition.class
(struct_declaration name: (identifier) @name body: (_)? @body) @definition.struct
(record_declaration name: (identifier) @name body: (_)? @body) @definition.record
(interface_declaration name: (identifier) @name body: (_)? @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_)? @body) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.member
(delegate_declaration name: (identifier) @name) @definition.delegate
(method_declaration name: (identifier) @name body: (_)? @body) @definition.method
(constructor_declaration name: (identifier) @name body: (_)? @body) @definition.constructor
(destructor_declaration "~" @name name: (identifier) @name body: (_)? @body) @definition.destructor
(operator_declaration "operator" @name operator: _ @name body: (_)? @body) @definition.operator
(conversion_operator_declaration "operator" @name type: (_) @name body: (_)? @body) @definition.operator
(local_function_statement name: (identifier) @name body: (_)? @body) @definition.function
(property_declaration name: (identifier) @name [accessors: (_) value: (_)]? @body) @definition.property
(indexer_declaration "this" @name [accessors: (_) value: (_)]? @body) @definition.indexer
(event_declaration name: (identifier) @name accessors: (_)? @body) @definition.event
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.event
((field_declaration
  (modifier) @_const
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
  (#eq? @_const "const"))
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(record_declaration (parameter_list (parameter name: (identifier) @name) @definition.component))

(comment) @comment

; Uses

(invocation_expression function: (identifier) @call)
(invocation_expression function: (generic_name (identifier) @call))
(invocation_expression function: (member_access_expression expression: _ @receiver name: (identifier) @call))
(invocation_expression
  function: (member_access_expression expression: _ @receiver name: (generic_name (identifier) @call)))
(invocation_expression function: (conditional_access_expression
  condition: _ @receiver
  (member_binding_expression name: (identifier) @call)))
(invocation_expression function: (conditional_access_expression
  condition: _ @receiver
  (member_binding_expression name: (generic_name (identifier) @call))))
(object_creation_expression type: (identifier) @call)
(object_creation_expression type: (generic_name (identifier) @call))
(object_creation_expression type: (qualified_name qualifier: (_) @receiver name: (identifier) @call))
(attribute name: (identifier) @type)

(class_declaration (base_list [
  (identifier) @extends
  (generic_name (identifier) @extends)
  (qualified_name qualifier: (_) @receiver name: (identifier) @extends)
  (qualified_name qualifier: (_) @receiver name: (generic_name (identifier) @extends))
]) (#not-match? @extends "^I[A-Z]"))
(class_declaration (base_list [
  (identifier) @implements
  (generic_name (identifier) @implements)
  (qualified_name qualifier: (_) @receiver name: (identifier) @implements)
  (qualified_name qualifier: (_) @receiver name: (generic_name (identifier) @implements))
]) (#match? @implements "^I[A-Z]"))
(record_declaration (base_list [
  (identifier) @extends
  (generic_name (identifier) @extends)
  (qualified_name qualifier: (_) @receiver name: (identifier) @extends)
  (primary_constructor_base_type type: (identifier) @extends)
]) (#not-match? @extends "^I[A-Z]"))
(record_declaration (base_list [
  (identifier) @implements
  (generic_name (identifier) @implements)
  (qualified_name qualifier: (_) @receiver name: (identifier) @implements)
]) (#match? @implements "^I[A-Z]"))
(struct_declaration (base_list [
  (identifier) @implements
  (generic_name (identifier) @implements)
  (qualified_name qualifier: (_) @receiver name: (identifier) @implements)
  (qualified_name qualifier: (_) @receiver name: (generic_name (identifier) @implements))
]))
(interface_declaration (base_list [
  (identifier) @extends
  (generic_name (identifier) @extends)
  (qualified_name qualifier: (_) @receiver name: (identifier) @extends)
  (qualified_name qualifier: (_) @receiver name: (generic_name (identifier) @extends))
]))

(_ type: (identifier) @type)
(_ type: (nullable_type type: (identifier) @type))
(_ type: (array_type type: (identifier) @type))
(_ type: (qualified_name qualifier: (_) @receiver name: (identifier) @type))
(_ returns: (identifier) @type)
(_ returns: (nullable_type type: (identifier) @type))
(_ returns: (array_type type: (identifier) @type))
(_ returns: (qualified_name qualifier: (_) @receiver name: (identifier) @type))
(generic_name (identifier) @type)
(type_argument_list (identifier) @type)

; Types of names

(parameter
  type: [
    (identifier) @binding.type
    (qualified_name) @binding.type
    (generic_name (identifier) @binding.type)
    (nullable_type type: (identifier) @binding.type)
  ]
  name: (identifier) @binding.name)
(local_declaration_statement (variable_declaration
  type: [
    (identifier) @binding.type
    (qualified_name) @binding.type
    (generic_name (identifier) @binding.type)
    (nullable_type type: (identifier) @binding.type)
  ]
  (variable_declarator name: (identifier) @binding.name)))
(variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (identifier) @binding.name
    [
      (object_creation_expression type: [
        (identifier) @binding.type
        (qualified_name) @binding.type
        (generic_name (identifier) @binding.type)
      ])
      (invocation_expression function: [(identifier) (member_access_expression)] @binding.type)
      (await_expression (invocation_expression function: [(identifier) (member_access_expression)] @binding.type))
    ]))
(using_statement (variable_declaration
  type: (identifier) @binding.type
  (variable_declarator name: (identifier) @binding.name)))
(foreach_statement type: [(identifier) (qualified_name)] @binding.type left: (identifier) @binding.name)
(declaration_pattern type: [(identifier) (qualified_name)] @binding.type name: (identifier) @binding.name)
(catch_declaration type: (identifier) @binding.type name: (identifier) @binding.name)
(field_declaration (variable_declaration
  type: [
    (identifier) @binding.type
    (qualified_name) @binding.type
    (generic_name (identifier) @binding.type)
    (nullable_type type: (identifier) @binding.type)
  ]
  (variable_declarator name: (identifier) @binding.field)))
(property_declaration
  type: [
    (identifier) @binding.type
    (qualified_name) @binding.type
    (generic_name (identifier) @binding.type)
    (nullable_type type: (identifier) @binding.type)
  ]
  name: (identifier) @binding.field)
(record_declaration (parameter_list (parameter
  type: [(identifier) (qualified_name)] @binding.type
  name: (identifier) @binding.field)))
(class_declaration (parameter_list (parameter
  type: [(identifier) (qualified_name)] @binding.type
  name: (identifier) @binding.field)))

; Imports

(using_directive !name . [(identifier) (qualified_name)] @import.module) @import.wildcard
(using_directive !name "static" [(identifier) (qualified_name)] @import.module) @import.wildcard
(using_directive !name "global" . "using" . [(identifier) (qualified_name)] @import.module) @import.wildcard
(using_directive name: (identifier) @import.alias [
  (identifier) @import.module
  (qualified_name) @import.module
  (generic_name) @import.module
  (alias_qualified_name) @import.module
] .)

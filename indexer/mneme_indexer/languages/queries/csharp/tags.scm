; Definitions

(namespace_declaration name: (_) @namespace.name body: (_) @body) @namespace
(file_scoped_namespace_declaration name: (_) @namespace.name) @namespace

((class_declaration) @definition.class (#set! name name) (#set! body body))
((struct_declaration) @definition.struct (#set! name name) (#set! body body))
((record_declaration) @definition.record (#set! name name) (#set! body body))
((interface_declaration) @definition.interface (#set! name name) (#set! body body))
((enum_declaration) @definition.enum (#set! name name) (#set! body body))
((enum_member_declaration) @definition.member (#set! name name))
((delegate_declaration) @definition.delegate (#set! name name))
((method_declaration) @definition.method (#set! name name) (#set! body body))
((constructor_declaration) @definition.constructor (#set! name name) (#set! body body))
((destructor_declaration "~" @name name: (identifier) @name) @definition.destructor (#set! body body))
((operator_declaration "operator" @name operator: _ @name) @definition.operator (#set! body body))
((conversion_operator_declaration "operator" @name type: (_) @name) @definition.operator (#set! body body))
((local_function_statement) @definition.function (#set! name name) (#set! body body))
((property_declaration) @definition.property (#set! name name) (#set! body "accessors value"))
((indexer_declaration "this" @name) @definition.indexer (#set! body "accessors value"))
((event_declaration) @definition.event (#set! name name) (#set! body accessors))
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.event
((field_declaration
  (modifier) @_const
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
  (#eq? @_const "const"))
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(record_declaration (parameter_list (parameter name: (identifier) @name) @definition.component))

(comment) @comment

; Uses

(invocation_expression function: [
  (identifier) @call
  (_ . (identifier) @call . (type_argument_list))
  (_ expression: _ @receiver name: [(identifier) @call (_ . (identifier) @call)])
  (_ condition: _ @receiver (_ name: [(identifier) @call (_ . (identifier) @call)]))
])
(object_creation_expression type: [
  (identifier) @call
  (_ . (identifier) @call . (type_argument_list))
  (_ qualifier: (_) @receiver name: (identifier) @call)
])
(attribute name: (identifier) @type)

(class_declaration (base_list [
  (identifier) @extends
  (_ . (identifier) @extends . (type_argument_list))
  (_ qualifier: (_) @receiver name: [(identifier) @extends (_ . (identifier) @extends)])
]) (#not-match? @extends "^I[A-Z]"))
(class_declaration (base_list [
  (identifier) @implements
  (_ . (identifier) @implements . (type_argument_list))
  (_ qualifier: (_) @receiver name: [(identifier) @implements (_ . (identifier) @implements)])
]) (#match? @implements "^I[A-Z]"))
(record_declaration (base_list [
  (identifier) @extends
  (_ . (identifier) @extends . (type_argument_list))
  (_ qualifier: (_) @receiver name: (identifier) @extends)
  (_ type: (identifier) @extends)
]) (#not-match? @extends "^I[A-Z]"))
(record_declaration (base_list [
  (identifier) @implements
  (_ . (identifier) @implements . (type_argument_list))
  (_ qualifier: (_) @receiver name: (identifier) @implements)
]) (#match? @implements "^I[A-Z]"))
(struct_declaration (base_list [
  (identifier) @implements
  (_ . (identifier) @implements . (type_argument_list))
  (_ qualifier: (_) @receiver name: [(identifier) @implements (_ . (identifier) @implements)])
]))
(interface_declaration (base_list [
  (identifier) @extends
  (_ . (identifier) @extends . (type_argument_list))
  (_ qualifier: (_) @receiver name: [(identifier) @extends (_ . (identifier) @extends)])
]))

(type/identifier) @type
(nullable_type type: (identifier) @type)
(array_type type: (identifier) @type)
(type/qualified_name qualifier: (_) @receiver name: (identifier) @type)
(generic_name (identifier) @type)
(type_argument_list (identifier) @type)

; Types of names

(parameter
  type: [
    (identifier) @binding.type
    (qualified_name) @binding.type
    (_ . (identifier) @binding.type . (type_argument_list))
    (_ !rank type: (identifier) @binding.type)
  ]
  name: (identifier) @binding.name)
(local_declaration_statement (_
  type: [
    (identifier) @binding.type
    (qualified_name) @binding.type
    (_ . (identifier) @binding.type . (type_argument_list))
    (_ !rank type: (identifier) @binding.type)
  ]
  (_ name: (identifier) @binding.name)))
(variable_declaration
  type: (implicit_type)
  (_
    name: (identifier) @binding.name
    [
      (object_creation_expression type: [
        (identifier) @binding.type
        (qualified_name) @binding.type
        (_ . (identifier) @binding.type . (type_argument_list))
      ])
      (_ function: [(identifier) (member_access_expression)] @binding.type)
      (await_expression (_ function: [(identifier) (member_access_expression)] @binding.type))
    ]))
(using_statement (_
  type: (identifier) @binding.type
  (_ name: (identifier) @binding.name)))
(foreach_statement type: [(identifier) (qualified_name)] @binding.type left: (identifier) @binding.name)
(declaration_pattern type: [(identifier) (qualified_name)] @binding.type name: (identifier) @binding.name)
(catch_declaration type: (identifier) @binding.type name: (identifier) @binding.name)
(field_declaration (_
  type: [
    (identifier) @binding.type
    (qualified_name) @binding.type
    (_ . (identifier) @binding.type . (type_argument_list))
    (_ !rank type: (identifier) @binding.type)
  ]
  (_ name: (identifier) @binding.field)))
(property_declaration
  type: [
    (identifier) @binding.type
    (qualified_name) @binding.type
    (_ . (identifier) @binding.type . (type_argument_list))
    (_ !rank type: (identifier) @binding.type)
  ]
  name: (identifier) @binding.field)
(record_declaration (parameter_list (_
  type: [(identifier) (qualified_name)] @binding.type
  name: (identifier) @binding.field)))
(class_declaration (parameter_list (_
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

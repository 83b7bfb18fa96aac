; Definitions

(package_clause name: (package_identifier) @namespace.name !body) @namespace
(package_clause name: (package_identifier) @namespace.name body: (_) @body) @namespace

(class_definition name: (identifier) @name body: (_)? @body) @definition.class
(object_definition name: (identifier) @name body: (_)? @body) @definition.object
(package_object name: (identifier) @name body: (_)? @body) @definition.object
(trait_definition name: (identifier) @name body: (_)? @body) @definition.trait
(enum_definition name: (identifier) @name body: (_)? @body) @definition.enum
(simple_enum_case name: (identifier) @name) @definition.member
(full_enum_case name: (identifier) @name) @definition.member
(function_definition name: [(identifier) (operator_identifier)] @name (#set! body body)) @definition.function
(function_declaration name: [(identifier) (operator_identifier)] @name) @definition.function
(given_definition name: (identifier) @name) @definition.given
(type_definition name: (type_identifier) @name) @definition.type
(compilation_unit (val_definition pattern: (identifier) @name) @definition.constant)
(compilation_unit (val_definition pattern: (identifiers (identifier) @name)) @definition.constant)
(object_definition body: (_ (val_definition pattern: (identifier) @name) @definition.constant))
(package_object body: (_ (val_definition pattern: (identifier) @name) @definition.constant))
(template_body [
  (val_definition pattern: [(identifier) @name (identifiers (identifier) @name)])
  (var_definition pattern: (identifier) @name)
  (val_declaration name: (identifier) @name)
  (var_declaration name: (identifier) @name)
] @definition.property)

(block_comment) @comment

; Uses

(call_expression function: (identifier) @call)
(call_expression function: (field_expression value: (_) @receiver field: (identifier) @call))
(generic_function function: (identifier) @call)
(generic_function function: (field_expression value: (_) @receiver field: (identifier) @call))
(instance_expression (type_identifier) @call)
(instance_expression (generic_type type: (type_identifier) @call))

(class_definition extend: (extends_clause . type: (type_identifier) @extends))
(class_definition extend: (extends_clause . type: (generic_type type: (type_identifier) @extends)))
(class_definition extend: (extends_clause "with" (type_identifier) @implements))
(class_definition extend: (extends_clause "with" (generic_type type: (type_identifier) @implements)))
(object_definition extend: (extends_clause (type_identifier) @extends))
(object_definition extend: (extends_clause (generic_type type: (type_identifier) @extends)))
(trait_definition extend: (extends_clause (type_identifier) @extends))
(trait_definition extend: (extends_clause (generic_type type: (type_identifier) @extends)))
(enum_definition extend: (extends_clause (type_identifier) @extends))

(type_identifier) @type

; Types of names

(parameter
  name: (identifier) @binding.name
  type: [(type_identifier) @binding.type (generic_type type: (_) @binding.type)])
(class_parameter
  name: (identifier) @binding.field
  type: [(type_identifier) @binding.type (generic_type type: (_) @binding.type)])
(template_body (_ pattern: (identifier) @binding.field type: (type_identifier) @binding.type))
(template_body (_ pattern: (identifier) @binding.field value: (instance_expression (type_identifier) @binding.type)))
(block [
  (val_definition pattern: (identifier) @binding.name type: (type_identifier) @binding.type)
  (val_definition pattern: (identifier) @binding.name value: (instance_expression (type_identifier) @binding.type))
  (val_definition
    pattern: (identifier) @binding.name
    !type
    value: (call_expression function: [(identifier) (field_expression)] @binding.type))
])

; Imports

(import_declaration) @import.tree

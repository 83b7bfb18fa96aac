; Definitions

(package_declaration [(scoped_identifier) (identifier)] @namespace.name) @namespace

(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(record_declaration name: (identifier) @name body: (_) @body) @definition.record
(annotation_type_declaration name: (identifier) @name body: (_) @body) @definition.annotation
(method_declaration name: (identifier) @name body: (_)? @body) @definition.method
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(enum_constant name: (identifier) @name) @definition.member
((field_declaration
  (modifiers) @_modifiers
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant
  (#match? @_modifiers "\\bstatic\\b[^@]*\\bfinal\\b|\\bfinal\\b[^@]*\\bstatic\\b"))
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @definition.component))

(block_comment) @comment

; Uses

(method_invocation !object name: (identifier) @call)
(method_invocation object: (_) @receiver name: (identifier) @call)
(method_reference . (_) @receiver (identifier) @call .)
(object_creation_expression type: (type_identifier) @call)
(object_creation_expression type: (generic_type (type_identifier) @call))
(object_creation_expression type: (scoped_type_identifier (_) @receiver (type_identifier) @call .))
(marker_annotation name: (identifier) @type)
(annotation name: (identifier) @type)

(superclass (type_identifier) @extends)
(superclass (generic_type (type_identifier) @extends))
(superclass (scoped_type_identifier (_) @receiver (type_identifier) @extends .))
(superclass (generic_type (scoped_type_identifier (_) @receiver (type_identifier) @extends .)))
(super_interfaces (type_list (type_identifier) @implements))
(super_interfaces (type_list (generic_type (type_identifier) @implements)))
(super_interfaces (type_list (scoped_type_identifier (_) @receiver (type_identifier) @implements .)))
(super_interfaces (type_list (generic_type (scoped_type_identifier (_) @receiver (type_identifier) @implements .))))
(extends_interfaces (type_list (type_identifier) @extends))
(extends_interfaces (type_list (generic_type (type_identifier) @extends)))
(extends_interfaces (type_list (scoped_type_identifier (_) @receiver (type_identifier) @extends .)))

(type_identifier) @type

; Types of names

(formal_parameter
  type: [(type_identifier) @binding.type (scoped_type_identifier) @binding.type (generic_type . (_) @binding.type)]
  name: (identifier) @binding.name)
(local_variable_declaration
  type: [(type_identifier) @binding.type (scoped_type_identifier) @binding.type (generic_type . (_) @binding.type)]
  declarator: (variable_declarator name: (identifier) @binding.name))
((local_variable_declaration
  type: (type_identifier) @_var
  declarator: (variable_declarator
    name: (identifier) @binding.name
    value: [
      (object_creation_expression type: [
        (type_identifier) @binding.type
        (scoped_type_identifier) @binding.type
        (generic_type . (_) @binding.type)
      ])
      (method_invocation) @binding.type
    ]))
  (#eq? @_var "var"))
(enhanced_for_statement type: (type_identifier) @binding.type name: (identifier) @binding.name)
(resource type: (type_identifier) @binding.type name: (identifier) @binding.name)
(catch_formal_parameter (catch_type . (type_identifier) @binding.type .) name: (identifier) @binding.name)
(instanceof_expression right: (type_identifier) @binding.type name: (identifier) @binding.name)
(field_declaration
  type: [(type_identifier) @binding.type (scoped_type_identifier) @binding.type (generic_type . (_) @binding.type)]
  declarator: (variable_declarator name: (identifier) @binding.field))
(record_declaration parameters: (formal_parameters (formal_parameter
  type: (type_identifier) @binding.type
  name: (identifier) @binding.field)))

; Imports

(import_declaration) @import.tree

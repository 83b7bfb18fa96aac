; Definitions

(class_declaration declaration_kind: "class" name: (type_identifier) @name body: (_) @body) @definition.class
(class_declaration declaration_kind: "actor" name: (type_identifier) @name body: (_) @body) @definition.class
(class_declaration declaration_kind: "struct" name: (type_identifier) @name body: (_) @body) @definition.struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name body: (_) @body) @definition.enum
(class_declaration declaration_kind: "extension" name: (user_type (type_identifier) @scope.name .)) @scope.extension
(protocol_declaration name: (type_identifier) @name body: (_) @body) @definition.protocol
(function_declaration "func" . name: _ @name body: (_)? @body) @definition.function
(protocol_function_declaration name: (_) @name) @definition.function
(init_declaration "init" @name body: (_)? @body) @definition.constructor
(deinit_declaration "deinit" @name body: (_)? @body) @definition.destructor
(subscript_declaration "subscript" @name (computed_property)? @body) @definition.subscript
(typealias_declaration name: (type_identifier) @name) @definition.type
(enum_entry name: (simple_identifier) @name) @definition.member
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.constant)
(class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_)? @body) @definition.property)
(enum_class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_)? @body) @definition.property)
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property

(comment) @comment
(multiline_comment) @comment

; Uses

(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression
  target: (_) @receiver
  suffix: (navigation_suffix suffix: (simple_identifier) @call)))

(class_declaration declaration_kind: "class" (inheritance_specifier inherits_from: (user_type (type_identifier) @extends .)))
(class_declaration declaration_kind: "class" (inheritance_specifier
  inherits_from: (user_type (type_identifier) @extends (type_arguments))))
(class_declaration declaration_kind: "struct" (inheritance_specifier
  inherits_from: (user_type (type_identifier) @implements)))
(class_declaration declaration_kind: "enum" (inheritance_specifier
  inherits_from: (user_type (type_identifier) @implements)))
(class_declaration declaration_kind: "actor" (inheritance_specifier
  inherits_from: (user_type (type_identifier) @implements)))
(class_declaration
  declaration_kind: "extension"
  name: (user_type (type_identifier) @owner)
  (inheritance_specifier inherits_from: (user_type (type_identifier) @implements)))
(protocol_declaration (inheritance_specifier inherits_from: (user_type (type_identifier) @extends)))

(user_type (type_identifier) @type)

; Types of names

(parameter
  name: (simple_identifier) @binding.name
  [(user_type . (type_identifier) @binding.type) (optional_type (user_type . (type_identifier) @binding.type))])
(class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @binding.field)
  (type_annotation [
    (user_type . (type_identifier) @binding.type)
    (optional_type (user_type . (type_identifier) @binding.type))
  ])))
(class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @binding.field)
  value: (call_expression . (simple_identifier) @binding.type)))
(statements (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @binding.name)
  (type_annotation (user_type . (type_identifier) @binding.type))))
(statements (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @binding.name)
  value: (call_expression . [(simple_identifier) (navigation_expression)] @binding.type)))

; Imports

(import_declaration (identifier . (simple_identifier) @import.module))

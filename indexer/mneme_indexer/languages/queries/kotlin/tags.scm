; Definitions

(package_header (identifier) @namespace.name) @namespace

(class_declaration "interface" (type_identifier) @name (class_body)? @body) @definition.interface
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @definition.enum
(class_declaration "class" (type_identifier) @name [(class_body) (enum_class_body)]? @body) @definition.class
(object_declaration (type_identifier) @name (class_body)? @body) @definition.object
(companion_object (class_body)) @scope.companion
(function_declaration (simple_identifier) @name (function_body)? @body) @definition.function
(secondary_constructor "constructor" @name (statements)? @body) @definition.constructor
(type_alias (type_identifier) @name) @definition.type
(enum_entry (simple_identifier) @name) @definition.member
(source_file (property_declaration (variable_declaration (simple_identifier) @name)) @definition.constant)
(object_declaration (class_body
  (property_declaration (variable_declaration (simple_identifier) @name)) @definition.constant))
(companion_object (class_body
  (property_declaration (variable_declaration (simple_identifier) @name)) @definition.constant))
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @definition.property)
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @definition.property

(multiline_comment) @comment

; Uses

(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression (_) @receiver (navigation_suffix (simple_identifier) @call)))
(annotation (user_type (type_identifier) @type .))
(annotation (constructor_invocation (user_type (type_identifier) @type .)))

(class_declaration (delegation_specifier (constructor_invocation (user_type (type_identifier) @extends))))
(object_declaration (delegation_specifier (constructor_invocation (user_type (type_identifier) @extends))))
(class_declaration "class" (delegation_specifier (user_type (type_identifier) @implements)))
(class_declaration "class" (delegation_specifier (explicit_delegation (user_type (type_identifier) @implements))))
(object_declaration (delegation_specifier (user_type (type_identifier) @implements)))
(class_declaration "interface" (delegation_specifier (user_type (type_identifier) @extends)))

(user_type (type_identifier) @type)

; Types of names

(parameter
  (simple_identifier) @binding.name
  [(user_type) @binding.type (nullable_type (user_type) @binding.type)])
(class_parameter
  (simple_identifier) @binding.field
  [(user_type) @binding.type (nullable_type (user_type) @binding.type)])
(class_body (property_declaration (variable_declaration
  (simple_identifier) @binding.field
  [(user_type) @binding.type (nullable_type (user_type) @binding.type)])))
(class_body (property_declaration
  (variable_declaration . (simple_identifier) @binding.field .)
  (call_expression . (simple_identifier) @binding.type)))
(statements (property_declaration (variable_declaration
  (simple_identifier) @binding.name
  [(user_type) @binding.type (nullable_type (user_type) @binding.type)])))
(statements (property_declaration
  (variable_declaration . (simple_identifier) @binding.name .)
  (call_expression . [(simple_identifier) (navigation_expression)] @binding.type)))

; Imports

(import_header) @import.tree

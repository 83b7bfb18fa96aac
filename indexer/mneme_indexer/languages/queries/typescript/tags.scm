; inherits: ecmascript

(function_signature name: (identifier) @name) @definition.function
(abstract_class_declaration name: (_) @name body: (class_body) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name body: (enum_body) @body) @definition.enum
(enum_body name: (_) @name @definition.member)
(enum_body (enum_assignment name: (_) @name) @definition.member)

(ambient_declaration (internal_module name: (_) @name body: (_) @body) @definition.ambient)
(ambient_declaration (module name: (string (string_fragment) @name) body: (_) @body) @definition.ambient)
(ambient_declaration (module name: (string))) @export
(internal_module name: (_) @name body: (_) @body) @definition.namespace
(module name: (string (string_fragment) @name) body: (_) @body) @definition.namespace
(module name: [(identifier) (nested_identifier)] @name body: (_) @body) @definition.namespace
(internal_module body: (statement_block
  (lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant)))
(module body: (statement_block
  (lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant)))
(ambient_declaration
  [(lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant)
   (variable_declaration (variable_declarator name: (identifier) @name) @definition.constant)])

(method_signature name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
(property_signature name: (_) @name) @definition.property
(public_field_definition
  name: (_) @name
  value: [(arrow_function) (function_expression) (generator_function)] @holder (#set! body body)) @definition.method
(public_field_definition name: (_) @name) @definition.field

(class_body (decorator) @attribute)
(ambient_declaration (_) @wrapped) @wrapper
(ambient_declaration
  [(lexical_declaration . (variable_declarator) @wrapped .)
   (variable_declaration . (variable_declarator) @wrapped .)] @wrapper)
(export_statement "=" (identifier) @export.name)
(export_statement "=" @import.reexport @import.default (identifier) @import.name)

(extends_clause value: (identifier) @extends)
(extends_clause value: (_ object: (_) @receiver property: (_) @extends))
(extends_clause value: (call_expression arguments: (arguments (identifier) @extends)))
(implements_clause (type_identifier) @implements)
(implements_clause (generic_type name: (type_identifier) @implements))
(implements_clause (nested_type_identifier module: (_) @receiver name: (_) @implements))
(implements_clause (generic_type name: (nested_type_identifier module: (_) @receiver name: (_) @implements)))
(extends_type_clause type: (type_identifier) @extends)
(extends_type_clause type: (generic_type name: (type_identifier) @extends))
(extends_type_clause type: (nested_type_identifier module: (_) @receiver name: (_) @extends))
(extends_type_clause type: (generic_type name: (nested_type_identifier module: (_) @receiver name: (_) @extends)))

(type_identifier) @type
(nested_type_identifier module: (_) @receiver name: (_) @type)

([
  (required_parameter pattern: (identifier) @binding.name type: (type_annotation [
    (type_identifier) @binding.type
    (nested_type_identifier) @binding.type
    (generic_type name: (_) @binding.type)
    (union_type . (type_identifier) @binding.type)
  ]))
  (optional_parameter pattern: (identifier) @binding.name type: (type_annotation [
    (type_identifier) @binding.type
    (nested_type_identifier) @binding.type
    (generic_type name: (_) @binding.type)
    (union_type . (type_identifier) @binding.type)
  ]))
  (variable_declarator name: (identifier) @binding.name type: (type_annotation [
    (type_identifier) @binding.type
    (nested_type_identifier) @binding.type
    (generic_type name: (_) @binding.type)
    (union_type . (type_identifier) @binding.type)
  ]))
])
(required_parameter
  [(accessibility_modifier) "readonly"]
  pattern: (identifier) @binding.field
  type: (type_annotation [
    (type_identifier) @binding.type
    (nested_type_identifier) @binding.type
    (generic_type name: (_) @binding.type)
    (union_type . (type_identifier) @binding.type)
  ]))
(public_field_definition
  name: (_) @binding.field
  type: (type_annotation [
    (type_identifier) @binding.type
    (nested_type_identifier) @binding.type
    (generic_type name: (_) @binding.type)
    (union_type . (type_identifier) @binding.type)
  ]))
(public_field_definition name: (_) @binding.field value: (_ constructor: (_) @binding.type))

(import_statement (import_require_clause
  (identifier) @import.alias
  source: (string (string_fragment) @import.module)))

; Definitions

(class_definition
  name: (identifier) @name
  body: (block . (string)? @doc) @body) @definition.class

(function_definition
  name: (identifier) @name
  body: (block . (string)? @doc) @body) @definition.function

(decorated_definition definition: (_) @wrapped) @wrapper

((module (assignment left: (identifier) @name) @definition.list) (#eq? @name "__all__"))
(module (assignment left: (identifier) @name) @definition.variable)
(module (assignment left: (pattern_list (identifier) @name)) @definition.variable)
(module (assignment right: (assignment left: (identifier) @name)) @definition.variable)
(module (if_statement (block (assignment left: (identifier) @name) @definition.variable)))
(module (try_statement (block (assignment left: (identifier) @name) @definition.variable)))
(module (type_alias_statement left: (type (identifier) @name)) @definition.type)
(class_definition body: (block (assignment left: (identifier) @name) @definition.field))

((module [
    (assignment left: (identifier) @_all right: (_ (string (string_content) @export.name)))
    (augmented_assignment left: (identifier) @_all right: (_ (string (string_content) @export.name)))
  ])
  (#eq? @_all "__all__"))

; Uses

(call function: (identifier) @call)
(call function: (attribute object: (_) @receiver attribute: (identifier) @call))
(decorator (identifier) @call)
(decorator (attribute object: (_) @receiver attribute: (identifier) @call))

(class_definition superclasses: (argument_list (identifier) @extends))
(class_definition superclasses: (argument_list (attribute object: (_) @receiver attribute: (identifier) @extends)))
(class_definition superclasses: (argument_list (subscript value: (identifier) @extends)))

(type (identifier) @type)
(type (attribute object: (_) @receiver attribute: (identifier) @type))
(generic_type (identifier) @type)

; Types of names

(typed_parameter . (identifier) @binding.name type: (type [(identifier) (attribute)] @binding.type))
(typed_default_parameter name: (identifier) @binding.name type: (type [(identifier) (attribute)] @binding.type))
(assignment left: [(identifier) (attribute)] @binding.name type: (type [(identifier) (attribute)] @binding.type))
(assignment
  left: [(identifier) (attribute)] @binding.name
  right: (call function: [(identifier) (attribute)] @binding.type))
(assignment left: (attribute) @binding.name right: (identifier) @binding.same)
(as_pattern
  (call function: [(identifier) (attribute)] @binding.type)
  alias: (as_pattern_target (identifier) @binding.name))

; Imports

(import_statement name: (dotted_name) @import.module)
(import_statement name: (aliased_import name: (dotted_name) @import.module alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name)
(import_from_statement
  module_name: (_) @import.module
  name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.module (wildcard_import) @import.wildcard)

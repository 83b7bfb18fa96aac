; Definitions

(namespace_definition name: (namespace_name) @namespace.name !body) @namespace
(namespace_definition name: (namespace_name) @namespace.name body: (_) @body) @namespace
(namespace_definition !name body: (_) @body) @namespace

(class_declaration name: (name) @name body: (_) @body) @definition.class
(interface_declaration name: (name) @name body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.trait
(enum_declaration name: (name) @name body: (_) @body) @definition.enum
(enum_case name: (name) @name) @definition.member
(function_definition name: (name) @name body: (_) @body) @definition.function
(method_declaration name: (name) @name body: (_)? @body) @definition.method
(const_declaration (const_element . (name) @name)) @definition.constant
(property_declaration (property_element name: (variable_name (name) @name))) @definition.property
(property_promotion_parameter name: (variable_name (name) @name)) @definition.promoted
((function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument [(string (string_content) @name) (encapsed_string . (string_content) @name .)])))
  @definition.constant
  (#eq? @_define "define"))
(anonymous_class body: (_) @body) @scope.anonymous

(comment) @comment

; Uses

(function_call_expression function: (name) @call)
(function_call_expression function: (qualified_name prefix: (namespace_name) @receiver (name) @call))
(function_call_expression function: (qualified_name . prefix: "\\" . (name) @call))
(function_call_expression function: (relative_name (name) @call))
(member_call_expression object: (_) @receiver name: (name) @call)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @call)
(scoped_call_expression scope: (_) @receiver name: (name) @call)
(object_creation_expression (name) @call)
(object_creation_expression (qualified_name prefix: (namespace_name) @receiver (name) @call))
(object_creation_expression (qualified_name . prefix: "\\" . (name) @call))
(attribute (name) @type)
(attribute (qualified_name prefix: (namespace_name) @receiver (name) @type))

(base_clause (name) @extends)
(base_clause (qualified_name prefix: (namespace_name) @receiver (name) @extends))
(base_clause (qualified_name . prefix: "\\" . (name) @extends))
(class_interface_clause (name) @implements)
(class_interface_clause (qualified_name prefix: (namespace_name) @receiver (name) @implements))
(class_interface_clause (qualified_name . prefix: "\\" . (name) @implements))
(use_declaration (name) @extends)
(use_declaration (qualified_name prefix: (namespace_name) @receiver (name) @extends))
(use_declaration (qualified_name . prefix: "\\" . (name) @extends))

(named_type (name) @type)
(named_type (qualified_name prefix: (namespace_name) @receiver (name) @type))
(class_constant_access_expression . (name) @type)
(class_constant_access_expression . (qualified_name prefix: (namespace_name) @receiver (name) @type))
(scoped_property_access_expression scope: (name) @type)
(scoped_call_expression scope: (name) @type)
(scoped_call_expression scope: (qualified_name prefix: (namespace_name) @receiver (name) @type))

; Types of names

(simple_parameter
  type: [(named_type) @binding.type (optional_type (named_type) @binding.type)]
  name: (variable_name) @binding.name)
(property_promotion_parameter
  type: [(named_type) @binding.type (optional_type (named_type) @binding.type)]
  name: (variable_name (name) @binding.field))
(property_declaration
  type: [(named_type) @binding.type (optional_type (named_type) @binding.type)]
  (property_element name: (variable_name (name) @binding.field)))
(assignment_expression
  left: (variable_name) @binding.name
  right: (object_creation_expression [(name) (qualified_name)] @binding.type))
(assignment_expression
  left: (member_access_expression) @binding.name
  right: (object_creation_expression [(name) (qualified_name)] @binding.type))
(assignment_expression
  left: (variable_name) @binding.name
  right: (function_call_expression function: [(name) (qualified_name)] @binding.type))
(assignment_expression
  left: (variable_name) @binding.name
  right: [(scoped_call_expression) (member_call_expression)] @binding.type)
(catch_clause type: (type_list . (named_type) @binding.type .) name: (variable_name) @binding.name)

; Imports

(namespace_use_declaration) @import.tree
(require_expression (string (string_content) @import.module))
(require_once_expression (string (string_content) @import.module))
(include_expression (string (string_content) @import.module))
(include_once_expression (string (string_content) @import.module))
(require_expression (parenthesized_expression (string (string_content) @import.module)))
(require_once_expression (parenthesized_expression (string (string_content) @import.module)))
(include_expression (parenthesized_expression (string (string_content) @import.module)))
(include_once_expression (parenthesized_expression (string (string_content) @import.module)))
((binary_expression
  left: (name) @_folder
  right: [(string (string_content) @import.beside) (encapsed_string . (string_content) @import.beside .)])
  (#eq? @_folder "__DIR__")
  (#match? @import.beside "\\.(php|inc|phtml)$"))
((binary_expression
  left: (function_call_expression
    function: (name) @_dirname
    arguments: (arguments . (argument (name) @_file) .))
  right: [(string (string_content) @import.beside) (encapsed_string . (string_content) @import.beside .)])
  (#eq? @_dirname "dirname")
  (#eq? @_file "__FILE__")
  (#match? @import.beside "\\.(php|inc|phtml)$"))
((binary_expression
  left: (function_call_expression
    function: (name) @_dirname
    arguments: (arguments . (argument (name) @_folder) .))
  right: [(string (string_content) @import.above) (encapsed_string . (string_content) @import.above .)])
  (#eq? @_dirname "dirname")
  (#eq? @_folder "__DIR__")
  (#match? @import.above "\\.(php|inc|phtml)$"))

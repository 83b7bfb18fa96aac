; What JavaScript and TypeScript share. Of two patterns for one name the first one counts.

; Definitions

(function_declaration name: (identifier) @name body: (_) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @definition.function
(class_declaration name: (_) @name body: (class_body) @body) @definition.class

(variable_declarator
  name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)] @holder (#set! body body)) @definition.function
(variable_declarator name: (identifier) @name value: (class body: (class_body) @body)) @definition.class

((variable_declarator
  name: (identifier) @name
  value: [
    (_ function: (identifier) @_require)
    (_ function: (_ function: (identifier) @_require))
    (_ object: (_ function: (identifier) @_require))
  ]) @definition.variable
  (#eq? @_require "require"))
(variable_declarator
  name: (identifier) @name
  value: (await_expression (_ function: (import)))) @definition.variable

(program (lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant))
(program (variable_declaration (variable_declarator name: (identifier) @name) @definition.constant))
(export_statement
  declaration: [
    (lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant)
    (variable_declaration (variable_declarator name: (identifier) @name) @definition.constant)
    (lexical_declaration (variable_declarator
      name: (object_pattern (shorthand_property_identifier_pattern) @name)) @definition.constant)
    (lexical_declaration (variable_declarator
      name: (object_pattern (pair_pattern value: (identifier) @name))) @definition.constant)
  ])

(export_statement
  "default" @name.default
  value: [
    (class body: (_) @body)
    (class name: (_) @name body: (_) @body)
  ] @definition.class)
(export_statement
  "default" @name.default
  value: [(arrow_function) (function_expression !name) (generator_function !name)] @holder @definition.function (#set! body body))
(export_statement "default" @name.default value: (object) @definition.constant)

; CommonJS

((expression_statement (_ !operator
    left: (_ object: (_) @_module property: (property_identifier) @name)
    right: [(arrow_function) (function_expression) (generator_function)] @holder (#set! body body))) @definition.function
  (#any-of? @_module "exports" "module.exports"))
((expression_statement (_ !operator
    left: (_ object: (_) @_module property: (property_identifier) @name)
    right: (class body: (_) @body))) @definition.class
  (#any-of? @_module "exports" "module.exports"))
((expression_statement (_ !operator
    left: (_ object: (_) @_module property: (property_identifier) @name)
    right: [(string) (template_string) (number) (true) (false) (null) (object) (array) (regex) (new_expression)
      (binary_expression) (unary_expression)])) @definition.constant
  (#any-of? @_module "exports" "module.exports"))

((expression_statement (_ !operator
    left: (member_expression) @_module
    right: (class name: (_) @name body: (_) @body))) @definition.class
  (#eq? @_module "module.exports"))
((expression_statement (_ !operator
    left: (_ property: (_) @name.default) @_module
    right: (class !name body: (_) @body))) @definition.class
  (#eq? @_module "module.exports"))
((expression_statement (_ !operator
    left: (member_expression) @_module
    right: [
      (function_expression name: (_) @name body: (_) @body)
      (generator_function name: (_) @name body: (_) @body)
    ])) @definition.function
  (#eq? @_module "module.exports"))
((expression_statement (_ !operator
    left: (_ property: (_) @name.default) @_module
    right: [(arrow_function) (function_expression !name) (generator_function !name)] @holder (#set! body body))) @definition.function
  (#eq? @_module "module.exports"))
((assignment_expression
    left: (member_expression) @_module
    right: (object [
      (method_definition name: (property_identifier) @name body: (_) @body) @definition.function
      (_ key: (property_identifier) @name value: [(arrow_function) (function_expression) (generator_function)] @holder (#set! body body)) @definition.function
      (_ key: (property_identifier) @name value: (class body: (_) @body)) @definition.class
    ]))
  (#eq? @_module "module.exports"))

((program (expression_statement (_ !operator
    left: (member_expression
      object: (_ object: (identifier) @container property: (property_identifier) @_prototype)
      property: (property_identifier) @name)
    right: [(arrow_function) (function_expression) (generator_function)] @holder (#set! body body))) @definition.method)
  (#eq? @_prototype "prototype"))
((program (expression_statement (_ !operator
    left: (_ object: (identifier) @container property: (property_identifier) @_prototype)
    right: (object [
      (method_definition name: (property_identifier) @name body: (_) @body)
      (_ key: (property_identifier) @name value: [(arrow_function) (function_expression)] @holder (#set! body body))
    ] @definition.method))))
  (#eq? @_prototype "prototype"))
((program (expression_statement (_ !operator
    left: (_ object: (identifier) @container property: (property_identifier) @name)
    right: [(arrow_function) (function_expression) (generator_function)] @holder (#set! body body))) @definition.method)
  (#not-match? @container "^(exports|module|window|self|globalThis)$"))

; Members

(method_definition name: [
  (property_identifier) @name
  (private_property_identifier) @name
  (string (string_fragment) @name)
  (computed_property_name (string (string_fragment) @name))
] (#set! body body)) @definition.method
((method_definition name: (computed_property_name . (_) @_inner) @name) @definition.method
  (#set! body body)
  (#not-match? @_inner "^[\"'`]"))

(variable_declarator
  value: (object (_
    key: (property_identifier) @name
    value: [(arrow_function) (function_expression) (generator_function)] @holder (#set! body body)) @definition.method))
(export_statement
  value: (object (_
    key: (property_identifier) @name
    value: [(arrow_function) (function_expression) (generator_function)] @holder (#set! body body)) @definition.method))

; Spans and exports

(program [
  (lexical_declaration . (variable_declarator) @wrapped .)
  (variable_declaration . (variable_declarator) @wrapped .)
] @wrapper)
(export_statement
  declaration: [
    (lexical_declaration . (variable_declarator) @wrapped .)
    (variable_declaration . (variable_declarator) @wrapped .)
  ] @wrapper)
(export_statement declaration: (_) @wrapped) @wrapper
(export_statement value: (_) @wrapped) @wrapper
(comment) @comment

(export_statement) @export
(export_statement !source (export_clause (export_specifier name: (identifier) @export.name)))
(export_statement "default" value: (identifier) @export.name)
((expression_statement (_ !operator left: (_ object: (_) @_module))) @export
  (#any-of? @_module "exports" "module.exports" "module"))
((assignment_expression
    left: (member_expression) @_module
    right: (object [
      (shorthand_property_identifier) @export.name
      (_ key: (_) value: (identifier) @export.name)
    ]))
  (#eq? @_module "module.exports"))
((assignment_expression left: (member_expression) @_module right: (identifier) @export.name)
  (#match? @_module "^(module\\.)?exports(\\.|$)"))
((variable_declarator
    name: (identifier) @export.name
    value: (assignment_expression left: (_) @_module))
  (#any-of? @_module "exports" "module.exports"))

; Uses

(call_expression function: (identifier) @call)
(call_expression function: (_ object: (_) @receiver property: (_) @call))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (_ object: (_) @receiver property: (_) @call))
(decorator (identifier) @call)
(decorator (_ object: (_) @receiver property: (_) @call))

; Types of names

(variable_declarator
  name: (identifier) @binding.name
  value: [
    (_ constructor: (_) @binding.type)
    (_ function: [(identifier) (member_expression)] @binding.type)
    (await_expression (_ function: [(identifier) (member_expression)] @binding.type))
  ])
(assignment_expression
  left: [(identifier) (member_expression)] @binding.name
  right: [
    (_ constructor: (_) @binding.type)
    (_ function: [(identifier) (member_expression)] @binding.type)
    (await_expression (_ function: [(identifier) (member_expression)] @binding.type))
  ])

; Imports

(import_statement . source: (string (string_fragment) @import.module))
(import_statement
  (import_clause (identifier) @import.default)
  source: (string (string_fragment) @import.module))
(import_statement
  (import_clause (namespace_import (identifier) @import.alias))
  source: (string (string_fragment) @import.module))
(import_statement
  (import_clause (named_imports . "{" . "}"))
  source: (string (string_fragment) @import.module))
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @import.name !alias)))
  source: (string (string_fragment) @import.module))
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @import.name alias: (identifier) @import.alias)))
  source: (string (string_fragment) @import.module))

(export_statement
  (export_clause (export_specifier name: (_) @import.name !alias)) @import.reexport
  source: (string (string_fragment) @import.module))
(export_statement
  (export_clause (export_specifier name: (_) @import.name alias: (_) @import.alias)) @import.reexport
  source: (string (string_fragment) @import.module))
(export_statement
  (namespace_export (_) @import.alias) @import.reexport
  source: (string (string_fragment) @import.module))
(export_statement "*" @import.wildcard @import.reexport source: (string (string_fragment) @import.module))
(export_statement "default" @import.reexport @import.default value: (identifier) @import.name)
(export_statement
  !source
  (export_clause (export_specifier name: (_) @import.name alias: (_) @import.alias)) @import.reexport)

(export_statement
  !source
  (export_clause (export_specifier name: (_) @import.name !alias)) @import.reexport)
((assignment_expression
    left: (member_expression) @_module
    right: (object (_
      key: (property_identifier) @import.alias
      value: (identifier) @import.name) @import.reexport))
  (#eq? @_module "module.exports"))
((assignment_expression
    left: (member_expression) @_module
    right: (object (shorthand_property_identifier) @import.name @import.reexport))
  (#eq? @_module "module.exports"))
((assignment_expression
    left: (_ object: (_) @_module property: (property_identifier) @import.alias @import.reexport)
    right: (identifier) @import.name)
  (#any-of? @_module "exports" "module.exports"))

(call_expression
  function: (import)
  arguments: (_ . (string (string_fragment) @import.module)))
(variable_declarator
  name: (identifier) @import.alias
  value: (await_expression (_
    function: (import)
    arguments: (_ . (string (string_fragment) @import.module)))))
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @import.name
    (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias)
  ])
  value: (await_expression (_
    function: (import)
    arguments: (_ . (string (string_fragment) @import.module)))))
((call_expression
  function: (identifier) @_require
  arguments: (_ . (string (string_fragment) @import.module)))
  (#eq? @_require "require"))
((variable_declarator
  name: (identifier) @import.alias
  value: (_
    function: (identifier) @_require
    arguments: (_ . (string (string_fragment) @import.module))))
  (#eq? @_require "require"))
((variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @import.name
    (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias)
  ])
  value: (_
    function: (identifier) @_require
    arguments: (_ . (string (string_fragment) @import.module))))
  (#eq? @_require "require"))
((variable_declarator
  name: (identifier) @import.alias
  value: (member_expression
    object: (_
      function: (identifier) @_require
      arguments: (_ . (string (string_fragment) @import.module)))
    property: (property_identifier) @import.name))
  (#eq? @_require "require"))
((assignment_expression
    left: (_ property: (property_identifier) @import.reexport @import.default) @_module
    right: (identifier) @import.name)
  (#eq? @_module "module.exports"))

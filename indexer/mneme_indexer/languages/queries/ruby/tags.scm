; Definitions

(module name: [
  (constant) @name
  (_ scope: (_) @container name: (constant) @name)
] (#set! body body)) @definition.module
(class name: [
  (constant) @name
  (_ scope: (_) @container name: (constant) @name)
] (#set! body body)) @definition.class
((call
  method: (identifier) @_modifier
  arguments: (_ [(method name: (_) @name) (singleton_method name: (_) @name)] @holder)
  (#set! body body)) @definition.function
  (#match? @_modifier "^(private|protected|public|module_function|private_class_method)$"))
((method) @definition.function (#set! name name) (#set! body body))
((singleton_method) @definition.function (#set! name name) (#set! body body))
(assignment left: [(constant) @name (left_assignment_list (constant) @name)]) @definition.constant
((call method: (identifier) @_attribute arguments: (_ (simple_symbol) @name)) @definition.attribute
  (#match? @_attribute "^(c|m)?attr_(accessor|reader|writer)$"))
((call method: (identifier) @_define arguments: (_ . (simple_symbol) @name)) @definition.method
  (#any-of? @_define "define_method" "alias_method"))
(alias name: (identifier) @name) @definition.method

(body_statement (identifier) @section (#any-of? @section "private" "protected" "public"))

(comment) @comment

; Uses

(call !receiver method: [(identifier) (constant)] @call)
(call receiver: (_) @receiver method: (identifier) @call)
((call receiver: (constant) @call method: (identifier) @_new) (#eq? @_new "new"))
((call receiver: (_ scope: (_) @receiver name: (constant) @call) method: (identifier) @_new)
  (#eq? @_new "new"))

(superclass (constant) @extends)
(superclass (scope_resolution scope: (_) @receiver name: (constant) @extends))
(body_statement (_
  method: (identifier) @_mixin
  arguments: (_ [
    (constant) @extends
    (_ !receiver !method name: (constant) @extends)
  ])) (#any-of? @_mixin "include" "extend" "prepend"))

(constant) @type

; Types of names

((assignment
  left: [(identifier) (instance_variable)] @binding.name
  right: (_ receiver: [(constant) (scope_resolution)] @binding.type method: (identifier) @_new))
  (#eq? @_new "new"))
((operator_assignment
  left: [(identifier) (instance_variable)] @binding.name
  right: (_ receiver: [(constant) (scope_resolution)] @binding.type method: (identifier) @_new))
  (#eq? @_new "new"))

; Imports

((call !receiver method: (identifier) @_require arguments: (_ . (string (string_content) @import.module)))
  (#any-of? @_require "require" "load"))
((call !receiver method: (identifier) @_require arguments: (_ . (string (string_content) @import.beside)))
  (#eq? @_require "require_relative"))
((call !receiver method: (identifier) @_autoload arguments: (_
  . (simple_symbol)
  . (string (string_content) @import.module)))
  (#eq? @_autoload "autoload"))

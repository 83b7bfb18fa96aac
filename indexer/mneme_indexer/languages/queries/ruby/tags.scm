; Definitions

(module name: (constant) @name body: (_)? @body) @definition.module
(module name: (scope_resolution scope: (_) @container name: (constant) @name) body: (_)? @body) @definition.module
(class name: (constant) @name body: (_)? @body) @definition.class
(class name: (scope_resolution scope: (_) @container name: (constant) @name) body: (_)? @body) @definition.class
((call
  method: (identifier) @_modifier
  arguments: (argument_list [
    (method name: (_) @name body: (_)? @body)
    (singleton_method name: (_) @name body: (_)? @body)
  ])) @definition.function
  (#match? @_modifier "^(private|protected|public|module_function|private_class_method)$"))
(method name: (_) @name body: (_)? @body) @definition.function
(singleton_method name: (_) @name body: (_)? @body) @definition.function
(assignment left: (constant) @name) @definition.constant
(assignment left: (left_assignment_list (constant) @name)) @definition.constant
((call method: (identifier) @_attribute arguments: (argument_list (simple_symbol) @name)) @definition.attribute
  (#match? @_attribute "^(c|m)?attr_(accessor|reader|writer)$"))
((call method: (identifier) @_define arguments: (argument_list . (simple_symbol) @name)) @definition.method
  (#any-of? @_define "define_method" "alias_method"))
(alias name: (identifier) @name) @definition.method

(body_statement (identifier) @section (#any-of? @section "private" "protected" "public"))

(comment) @comment

; Uses

(call !receiver method: [(identifier) (constant)] @call)
(call receiver: (_) @receiver method: (identifier) @call)
((call receiver: (constant) @call method: (identifier) @_new) (#eq? @_new "new"))
((call receiver: (scope_resolution scope: (_) @receiver name: (constant) @call) method: (identifier) @_new)
  (#eq? @_new "new"))

(superclass (constant) @extends)
(superclass (scope_resolution scope: (_) @receiver name: (constant) @extends))
(body_statement (call
  method: (identifier) @_mixin
  arguments: (argument_list [
    (constant) @extends
    (scope_resolution name: (constant) @extends)
  ])) (#any-of? @_mixin "include" "extend" "prepend"))

(constant) @type

; Types of names

((assignment
  left: [(identifier) (instance_variable)] @binding.name
  right: (call receiver: [(constant) (scope_resolution)] @binding.type method: (identifier) @_new))
  (#eq? @_new "new"))
((operator_assignment
  left: [(identifier) (instance_variable)] @binding.name
  right: (call receiver: [(constant) (scope_resolution)] @binding.type method: (identifier) @_new))
  (#eq? @_new "new"))

; Imports

((call !receiver method: (identifier) @_require arguments: (argument_list . (string (string_content) @import.module)))
  (#any-of? @_require "require" "load"))
((call !receiver method: (identifier) @_require arguments: (argument_list . (string (string_content) @import.beside)))
  (#eq? @_require "require_relative"))
((call !receiver method: (identifier) @_autoload arguments: (argument_list
  . (simple_symbol)
  . (string (string_content) @import.module)))
  (#eq? @_autoload "autoload"))

; Definitions

(function_definition name: (word) @name body: (_) @body) @definition.function
(program (variable_assignment name: (variable_name) @name) @definition.variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable)

(comment) @comment

; Uses

(command name: (command_name (word) @call))

; Imports

((command name: (command_name (word) @_source) . argument: [(word) (string) (raw_string) (concatenation)] @import.module)
  (#any-of? @_source "source" "."))

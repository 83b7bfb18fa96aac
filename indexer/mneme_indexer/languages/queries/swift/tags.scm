; Definitions

((class_declaration declaration_kind: ["class" "actor"]) @definition.class (#set! name name) (#set! body body))
((class_declaration declaration_kind: "struct") @definition.struct (#set! name name) (#set! body body))
((class_declaration declaration_kind: "enum") @definition.enum (#set! name name) (#set! body body))
(class_declaration declaration_kind: "extension" name: (_ (type_identifier) @scope.name .)) @scope.extension
((protocol_declaration) @definition.protocol (#set! name name) (#set! body body))
((function_declaration "func" . name: _ @name) @definition.function (#set! body body))
((protocol_function_declaration) @definition.function (#set! name name))
((init_declaration "init" @name) @definition.constructor (#set! body body))
((deinit_declaration "deinit" @name) @definition.destructor (#set! body body))
(subscript_declaration "subscript" @name (computed_property)? @body) @definition.subscript
((typealias_declaration) @definition.type (#set! name name))
(enum_entry name: (simple_identifier) @name) @definition.member
(source_file (_ name: (_ bound_identifier: (simple_identifier) @name)) @definition.constant)
((class_body (_ name: (_ bound_identifier: (simple_identifier) @name)) @definition.property) (#set! body computed_value))
((enum_class_body (_ name: (_ bound_identifier: (simple_identifier) @name)) @definition.property)
  (#set! body computed_value))
(protocol_property_declaration name: (_ bound_identifier: (simple_identifier) @name)) @definition.property

(comment) @comment
(multiline_comment) @comment

; Uses

(call_expression . [
  (simple_identifier) @call
  (_ target: (_) @receiver suffix: (_ suffix: (simple_identifier) @call))
])

(class_declaration declaration_kind: "class" (_ inherits_from: [
  (_ (type_identifier) @extends .)
  (_ (type_identifier) @extends (type_arguments))
]))
(class_declaration declaration_kind: ["struct" "enum" "actor"] (_ inherits_from: (_ (type_identifier) @implements)))
(class_declaration
  declaration_kind: "extension"
  name: (_ (type_identifier) @owner)
  (_ inherits_from: (_ (type_identifier) @implements)))
(protocol_declaration (_ inherits_from: (_ (type_identifier) @extends)))

(user_type (type_identifier) @type)

; Types of names

(parameter
  name: (simple_identifier) @binding.name
  [(user_type . (type_identifier) @binding.type) (optional_type (user_type . (type_identifier) @binding.type))])
(class_body (_
  name: (_ bound_identifier: (simple_identifier) @binding.field)
  (_ . [
    (user_type . (type_identifier) @binding.type)
    (optional_type (user_type . (type_identifier) @binding.type))
  ])))
(class_body (_
  name: (_ bound_identifier: (simple_identifier) @binding.field)
  value: (_ . (simple_identifier) @binding.type . (call_suffix))))
(statements (_
  name: (_ bound_identifier: (simple_identifier) @binding.name)
  (_ . (user_type . (type_identifier) @binding.type))))
(statements (_
  name: (_ bound_identifier: (simple_identifier) @binding.name)
  value: (_ . [(simple_identifier) (navigation_expression)] @binding.type . (call_suffix))))

; Imports

(import_declaration (identifier . (simple_identifier) @import.module))

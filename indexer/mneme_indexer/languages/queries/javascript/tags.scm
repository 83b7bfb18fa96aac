; inherits: ecmascript, jsx

(field_definition
  property: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.method
(field_definition property: (_) @name) @definition.field

(class_heritage (identifier) @extends)
(class_heritage (member_expression object: (_) @receiver property: (_) @extends))
(class_heritage (call_expression arguments: (arguments (identifier) @extends)))

(field_definition property: (_) @binding.field value: (new_expression constructor: (_) @binding.type))

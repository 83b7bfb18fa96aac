; inherits: ecmascript, jsx

(field_definition
  property: (_) @name
  value: [(arrow_function) (function_expression) (generator_function)] @holder (#set! body body)) @definition.method
(field_definition property: (_) @name) @definition.field

(class_heritage (identifier) @extends)
(class_heritage (_ object: (_) @receiver property: (_) @extends))
(class_heritage (call_expression arguments: (arguments (identifier) @extends)))

(field_definition property: (_) @binding.field value: (_ constructor: (_) @binding.type))

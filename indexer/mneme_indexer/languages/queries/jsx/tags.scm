; Components in markup are called; names of a lower case are elements of the page.

((jsx_opening_element name: (identifier) @call) (#match? @call "^[^a-z]"))
((jsx_self_closing_element name: (identifier) @call) (#match? @call "^[^a-z]"))
(jsx_opening_element name: (member_expression object: (_) @receiver property: (_) @call))
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (_) @call))

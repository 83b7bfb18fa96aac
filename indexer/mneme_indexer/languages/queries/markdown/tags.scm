; Definitions: a section is its heading and all that is below it

(section . (atx_heading heading_content: (_) @name)) @definition.heading
(setext_heading heading_content: (_) @name) @definition.heading

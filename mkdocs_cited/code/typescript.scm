; The definitions of JavaScript and TypeScript. `trees.py` says what the captures mean.

[
  (variable_declarator name: (_) @name)
  (function_declaration name: (_) @name)
  (class_declaration name: (_) @name)
  (method_definition name: (_) @name)
  (enum_declaration name: (_) @name)
  (public_field_definition name: (_) @name)
  (pair key: (_) @name)
] @scope

; const TTL = 5
(variable_declarator name: (identifier) @name value: (_) @constant) @definition

; ttl = 5 of a variable of the module, which has several values then
(assignment_expression
  left: (identifier) @name
  right: (_) @constant
  (#set! outermost "")) @definition

; class Cache { size = 16 }
(public_field_definition name: (property_identifier) @name value: (_) @field) @definition

; { port: 80 }
(pair key: (_) @name value: (_) @key) @definition

; { port: { type: "int", default: 80 } }
(pair
  key: (_) @name
  value: (object (pair key: (_) @_key value: (_) @field))
  (#match? @_key "^\\W?default\\W?$")) @definition

; { retries: z.number().default(3) }
(pair
  key: (_) @name
  value: (call_expression function: (member_expression property: (_) @_method)) @field
  (#eq? @_method "default")) @definition

; { name: "port", default: 80 }
((object (pair key: (_) @_key)) @described @definition
  (#match? @_key "^\\W?default\\W?$")
  (#set! described "field"))

; function run({ port = 80 }, wide = 4)
(object_assignment_pattern
  left: (shorthand_property_identifier_pattern) @name
  right: (_) @parameter) @definition
(assignment_pattern left: (identifier) @name right: (_) @parameter) @definition
(required_parameter pattern: (identifier) @name value: (_) @parameter) @definition

; process.env.PORT ?? 80, (options as Options).port || 80
(binary_expression
  left: [
    (member_expression object: (_) @inside property: (_) @name)
    (non_null_expression
      (member_expression object: (_) @inside property: (_) @name))
    (parenthesized_expression
      (member_expression object: (_) @inside property: (_) @name))
    (parenthesized_expression
      (as_expression . (member_expression object: (_) @inside property: (_) @name)))
  ]
  operator: ["??" "||"]
  right: [
    (string) (template_string) (number) (true) (false) (null) (undefined) (array) (object)
  ] @lookup) @definition

; port != null ? port : 80
(ternary_expression
  condition: [(identifier) @_asked (binary_expression (identifier) @_asked)]
  consequence: (identifier) @name
  alternative: [
    (string) (template_string) (number) (true) (false) (null) (undefined) (array) (object)
  ] @lookup
  (#eq? @_asked @name)) @definition
(ternary_expression
  condition: [(identifier) @_asked (binary_expression (identifier) @_asked)]
  consequence: [
    (string) (template_string) (number) (true) (false) (null) (undefined) (array) (object)
  ] @lookup
  alternative: (identifier) @name
  (#eq? @_asked @name)) @definition

; defaults.port = 80
(assignment_expression
  left: (member_expression object: (_) @inside property: (_) @name)
  right: [
    (string) (template_string) (number) (true) (false) (null) (undefined) (array) (object)
  ] @key
  (#match? @inside "(?i)default")) @definition

; program.option("-p, --port <n>", "help", 80)
(call_expression
  function: (member_expression property: (_) @_method)
  arguments: (arguments
    . (string) @name @also
    . (_)
    . [
        (string) (template_string) (number) (true) (false) (null) (undefined) (array)
      ] @option
    .)
  (#match? @_method "(?i)option$")
  (#set! name "(--[\\w-]+)")
  (#set! also "^(-\\w),")) @definition

; yargs.option("port", { default: 80 })
(call_expression
  function: (member_expression property: (_) @_method)
  arguments: (arguments
    . (string) @name
    (object (pair key: (_) @_key value: (_) @option))
    .)
  (#match? @_method "(?i)option$")
  (#match? @_key "^\\W?default\\W?$")
  (#set! name "^(?:--)?([\\w-]+)")
  (#set! long "")) @definition

; x ?? 5, Number("5"), z.number().default(5)
(binary_expression operator: ["??" "||"] right: (_) @same) @definition
(call_expression
  function: (identifier) @_function
  arguments: (arguments . (_) @same .)
  (#match? @_function "^(Number|parseInt|parseFloat|String|Boolean|BigInt)$")) @definition
(call_expression
  function: (member_expression property: (_) @_method)
  arguments: (arguments . (_) @same .)
  (#eq? @_method "default")) @definition

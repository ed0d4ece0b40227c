; The definitions of Java. `trees.py` says what the captures mean.

[
  (class_declaration name: (_) @name)
  (interface_declaration name: (_) @name)
  (record_declaration name: (_) @name)
  (enum_declaration name: (_) @name)
  (method_declaration name: (_) @name)
  (constructor_declaration name: (_) @name)
] @scope

; static final int TTL = 5;
(field_declaration
  (modifiers) @_modifiers
  declarator: (variable_declarator name: (_) @name value: (_) @constant)
  (#match? @_modifiers "\\bstatic\\b")) @definition

; @JsonProperty("port") private int port = 80;
(field_declaration
  (modifiers)? @also
  declarator: (variable_declarator name: (_) @name value: (_) @field)
  (#not-match? @also "\\bstatic\\b")
  (#set! also "@(?:Json|Config)?Property\\(\"([\\w-]+)\"")) @definition
(constant_declaration
  declarator: (variable_declarator name: (_) @name value: (_) @constant)) @definition

; @Value("${cache.ttl:30}") int ttl;
((annotation name: (_) @_annotation arguments: (_) @inside @name @lookup) @definition
  (#match? @_annotation "Value$")
  (#set! inside "\\$\\{([\\w.-]+)\\.[\\w-]+:")
  (#set! name "\\$\\{(?:[\\w-]+\\.)*([\\w-]+):")
  (#set! lookup "\\$\\{[\\w.-]+:(\"?[^{}\"]+\"?)\\}"))

; config.getInt("cache.ttl", 30), one of several, whose names may be in constants
(method_invocation
  name: (_) @_method
  arguments: (argument_list . (string_literal) @name . (_) @lookup .)
  (#match? @_method "^(get|optional)")
  (#set! name "^\"(?:[\\w-]+\\.)*([\\w-]+)\"$")) @definition

; key("cache.ttl").intType().defaultValue(30)
(method_invocation
  object: (_) @inside @name
  name: (_) @_method
  arguments: (argument_list . (_) @lookup .)
  (#eq? @_method "defaultValue")
  (#set! inside "key\\(\"([\\w.-]+)\\.[\\w-]+\"")
  (#set! name "key\\(\"(?:[\\w-]+\\.)*([\\w-]+)\"")) @definition

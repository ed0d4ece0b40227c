; The definitions of Go. `trees.py` says what the captures mean.

[
  (function_declaration name: (_) @name)
  (method_declaration
    receiver: (parameter_list (parameter_declaration
      type: [(type_identifier) @name (pointer_type (type_identifier) @name) (_)]))
    name: (_) @name)
  (type_spec name: (_) @name)
  (composite_literal type: (_) @name)
  (const_spec name: (_) @name)
  (var_spec name: (_) @name)
  (keyed_element key: (_) @name)
] @scope

; const TTL = 5
(const_spec
  . (identifier) @name
  . type: (_)?
  . value: (expression_list . (_) @constant .)) @definition
(var_spec
  . (identifier) @name
  . type: (_)?
  . value: (expression_list . (_) @constant .)) @definition

; ttl := 5
(short_var_declaration
  left: (expression_list . (_) @name .)
  right: (expression_list . (_) @constant .)) @definition

; Config{Port: 80}, map[string]int{"port": 80}
(keyed_element key: (_) @name value: (_) @field) @definition

; cli.IntFlag{Name: "port", Value: 80}, Option{Name: "port", Default: 80}
((literal_value (keyed_element key: (_) @_key)) @described @definition
  (#eq? @_key "Name")
  (#set! described "option"))

; c.Port = 80, in what sets defaults
(assignment_statement
  left: (expression_list . (selector_expression field: (_) @name) .)
  right: (expression_list . (_) @field .)
  (#set! within "default")) @definition

; Port int `yaml:"port" default:"80"`
(field_declaration name: (_) @name tag: (_) @field @also
  (#set! field "\\b(?:default|envDefault):(\"[^\"]*\")")
  (#set! also "\\b(?:yaml|json|toml|mapstructure|env|envconfig|name):\"([^\",]+)")) @definition

; Port int `yaml:"port"`
(field_declaration name: (_) @name type: (_) @type tag: (_) @also
  (#match? @type "^(bool|string|int|int32|int64|uint|float64|time\\.Duration|duration|\\*.*|\\[\\].*|map\\[.*)$")
  (#match? @also "(yaml|json|toml|mapstructure|env|envconfig):\"[^\",]")
  (#not-match? @also "\\b(default|envDefault):\"")
  (#set! also "\\b(?:yaml|json|toml|mapstructure|env|envconfig):\"([^\",]+)")) @unset @definition

; flag.IntVar(&port, "port", 80, "usage")
(call_expression
  function: (selector_expression field: (_) @_function)
  arguments: (argument_list
    . [(unary_expression) (identifier) (selector_expression) (call_expression)]?
    . [(unary_expression) (identifier) (selector_expression) (call_expression)]?
    . [(interpreted_string_literal) (raw_string_literal)] @name
    . (_) @option
    . (_))
  (#match? @_function "^(String|Bool|Int|Uint|Float|Duration)\\w*(?<!P)$")
  (#match? @name "^.[A-Za-z][\\w.-]*.$")
  (#set! long "")) @definition

; flag.IntVarP(&port, "port", "p", 80, "usage")
(call_expression
  function: (selector_expression field: (_) @_function)
  arguments: (argument_list
    . [(unary_expression) (identifier) (selector_expression) (call_expression)]?
    . [(unary_expression) (identifier) (selector_expression) (call_expression)]?
    . [(interpreted_string_literal) (raw_string_literal)] @name
    . (_) @also
    . (_) @option
    . (_))
  (#match? @_function "^(String|Bool|Int|Uint|Float|Duration)\\w*P$")
  (#match? @name "^.[A-Za-z][\\w.-]*.$")
  (#set! short "")
  (#set! long "")) @definition

; app.Flag("port", "usage").Short('p').Default("80")
(call_expression
  function: (selector_expression
    operand: (call_expression) @name
    field: (_) @_function)
  arguments: (argument_list . (_) @option)
  (#eq? @_function "Default")
  (#set! name "Flag\\([^\"]*\"([^\"]+)\"")
  (#set! long "")
  (#set! typed "")) @definition

; viper.SetDefault("port", 80)
(call_expression
  function: (selector_expression field: (_) @_function)
  arguments: (argument_list . (_) @name . (_) @lookup .)
  (#eq? @_function "SetDefault")) @definition

; env.Int("APP_PORT", 80), EnvOr(portVariable, 80)
(call_expression
  function: [
    (identifier)
    (selector_expression operand: [(identifier) (selector_expression)])
  ] @_function
  arguments: (argument_list
    . [
        (interpreted_string_literal) (raw_string_literal)
        (identifier) (selector_expression)
      ] @name
    . (_) @lookup @same)
  (#match? @_function "(?i)^(env\\w*\\.(?!set)\\w+|(\\w+\\.)*(?!set)\\w*(env|default)\\w*)$")
  (#not-eq? @_function "SetDefault")
  (#match? @name "^(\\W[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\\W|[\\w.]+)$")
  (#set! name "(\\w+)\\W?$")) @definition

; Duration(5 * time.Second), ptr.To(5), func() string { … }("x"), &x
(call_expression
  function: [(identifier) @_function (selector_expression field: (_) @_function)]
  arguments: (argument_list . (_) @same .)
  (#match? @_function "^(\\w*Duration|u?int\\d*|float\\d*|string|new|To|Pointer|\\w*Ptr)$")) @definition
(call_expression
  function: (func_literal)
  arguments: (argument_list . (_) @same .)) @definition
(unary_expression operator: "&" operand: (_) @same) @definition

; The definitions of Rust. `trees.py` says what the captures mean.

[
  (impl_item type: (_) @name)
  (mod_item name: (_) @name)
  (struct_item name: (_) @name)
  (function_item name: (_) @name)
  (const_item name: (_) @name)
  (static_item name: (_) @name)
  (struct_expression name: (_) @name)
  (field_initializer field: (_) @name)
] @scope

; const TTL: u64 = 5;
(const_item name: (_) @name value: (_) @constant) @definition
(static_item name: (_) @name value: (_) @constant) @definition

; fn default_port() -> u16 { 8080 }, as serde's `default = "default_port"` wants it
(function_item
  name: (_) @name
  body: (block . (_) @constant .)
  (#set! known "")) @definition

; Config { port: 80 }, in what makes defaults
(field_initializer
  field: (_) @name
  value: (_) @field
  (#set! within "default")) @definition

; #[serde(default = "default_port", rename = "port")]
(field_declaration_list
  [(attribute_item) @field @also (line_comment) (block_comment)]+
  . (field_declaration name: (_) @name) @definition
  (#set! field "\\bdefault\\s*=\\s*\"([^\"]+)\"")
  (#set! also "\\b(?:env|rename)\\s*=\\s*\"([^\"]+)\""))

; #[arg(env = "PORT", default_value = "80")]
(field_declaration_list
  [(attribute_item) @field @also (line_comment) (block_comment)]+
  . (field_declaration name: (_) @name) @definition
  (#not-match? @field "\\blong\\b")
  (#set! field "\\bdefault_value(?:_t)?\\s*=\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|[\\w:.-]+)")
  (#set! also "\\b(?:env|rename)\\s*=\\s*\"([^\"]+)\""))

; #[arg(long, default_value = "80")]
(field_declaration_list
  [(attribute_item) @option @also (line_comment) (block_comment)]+
  . (field_declaration name: (_) @name) @definition
  (#any-match? @option "\\blong\\b")
  (#not-match? @option "\\blong\\s*=")
  (#set! flag "")
  (#set! option "\\bdefault_value(?:_t)?\\s*=\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|[\\w:.-]+)")
  (#set! also "\\b(?:env|rename)\\s*=\\s*\"([^\"]+)\""))

; #[arg(long = "port", default_value = "80")]
(field_declaration_list
  [(attribute_item) @option @name @also (line_comment) (block_comment)]+
  . (field_declaration) @definition
  (#set! name "\\blong\\s*=\\s*\"([^\"]+)\"")
  (#set! flag "")
  (#set! option "\\bdefault_value(?:_t)?\\s*=\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|[\\w:.-]+)")
  (#set! also "\\b(?:env|rename)\\s*=\\s*\"([^\"]+)\""))

; config.port.unwrap_or(80), let port = find().unwrap_or(80)
(call_expression
  function: (field_expression
    value: (field_expression field: (_) @name)
    field: (_) @_method)
  arguments: (arguments . (_) @lookup)
  (#eq? @_method "unwrap_or")) @definition
(let_declaration
  pattern: (_) @name
  value: (call_expression
    function: (field_expression field: (_) @_method)
    arguments: (arguments . (_) @lookup))
  (#eq? @_method "unwrap_or")) @definition

; builder.set_default("port", 80)
(call_expression
  function: (field_expression field: (_) @_method)
  arguments: (arguments . (_) @name . (_) @lookup .)
  (#eq? @_method "set_default")) @definition

; Some(5), String::from("x"), NonZeroUsize::new(5), "x".to_string()
(call_expression
  function: [(identifier) (scoped_identifier)] @_function
  arguments: (arguments . (_) @same .)
  (#match? @_function "^(Some|Ok|(String|PathBuf)::from|Cow::Borrowed|(Box|Arc)::new|NonZero\\w*::new)$")) @definition
(call_expression
  function: (field_expression value: (_) @same field: (_) @_method)
  (#any-of? @_method "to_string" "into" "to_owned" "clone" "unwrap" "expect" "to_vec")) @definition

; default_port()
(call_expression
  function: [(identifier) (scoped_identifier)] @same
  arguments: (arguments . "(" . ")")
  (#not-match? @same "::(new|default)$")) @definition

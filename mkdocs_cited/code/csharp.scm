; The definitions of C#. `trees.py` says what the captures mean.

[
  (class_declaration name: (_) @name)
  (struct_declaration name: (_) @name)
  (record_declaration name: (_) @name)
  (interface_declaration name: (_) @name)
  (method_declaration name: (_) @name)
  (constructor_declaration name: (_) @name)
] @scope

; const int Ttl = 5;
(field_declaration
  (modifier) @_modifier
  (variable_declaration (variable_declarator name: (_) @name (_) @constant .))
  (#match? @_modifier "^(const|static)$")) @definition

; public int Port { get; set; } = 80;
(property_declaration name: (_) @name value: (_) @field) @definition

; [DefaultValue(80)] public int Port { get; set; }
(property_declaration
  (attribute_list (attribute
    name: (_) @_attribute
    (attribute_argument_list . (attribute_argument . (_) @field .) .)))
  name: (_) @name
  (#eq? @_attribute "DefaultValue")) @definition

; configuration.GetValue("Port", 80), one of several
(invocation_expression
  function: (member_access_expression name: (_) @_method)
  arguments: (argument_list
    . (argument (string_literal) @name)
    . (argument (_) @lookup) .)
  (#match? @_method "^Get(Value|Setting)")
  (#set! name "^\"(?:[\\w-]+[:.])*([\\w-]+)\"$")) @definition

"""What files of Go, Rust, JavaScript, TypeScript, Java and C# define, read with the grammars of the extra `code`."""

from __future__ import annotations

from textwrap import dedent

import pytest

from mkdocs_cited.code import definitions
from mkdocs_cited.code.interface import Definition, Duration, Entries, Items, Kind, Reference
from tests.hangs import guarded


def of(source: str, file: str) -> dict[str, Definition]:
    """The definitions of a file by their dotted paths; of those with one path, the first."""
    found: dict[str, Definition] = {}
    for item in definitions(dedent(source), file):
        found.setdefault(".".join(item.path), item)
    return found


GO = """
    package x

    const DefaultPort = 80
    const (
        Timeout = 5 * time.Second
        Sizes = 1 << 20
    )
    var Names = []string{"a", "b"}

    func DefaultConfig() Config {
        return Config{
            Port: DefaultPort,
            Wait: Duration(10 * time.Second),
            Inner: &Inner{Depth: 3},
            Tags: map[string]int{"a": 1},
        }
    }

    func (c *Server) SetDefaults() {
        c.Retries = 4
    }

    type Options struct {
        Level string `yaml:"log_level" default:"info"`
        Watch bool `yaml:"watch"`
    }

    func flags() {
        flag.Int("port", 8080, "the port")
        fs.StringVarP(&name, "name", "n", "x", "a name")
        viper.SetDefault("cache.ttl", "5m")
        app.Flag("web.listen", "where").Default("0.0.0.0:9090").String()
        _ = &cli.IntFlag{Name: "depth", Value: 7, Aliases: []string{"d"}, Sources: cli.EnvVars("APP_DEPTH")}
        _ = &cli.BoolFlag{Name: "loud"}
        _ = fs.Option{Name: "chunk_size", Default: 8}
        serverFlag(app, "web.depth", "how deep. Or not").
            Default("4").Int()
        flag.Int("threads", env.Int("APP_THREADS", 2), "how many")
        name := env.StringFromEnv(common.EnvName, "x")
        sums := fs.List{"md5", "sha1"}
    }
"""
RUST = """
    pub const TTL: u64 = 60 * 5;
    fn default_port() -> u16 { 8080 }

    impl Default for Config {
        fn default() -> Self {
            let port = Config { port: default_port() };
            Config { wait: Duration::from_millis(500), name: "x".into(), on: true, none: None, some: Some(3_usize) }
        }
    }

    struct Args {
        /// The port
        #[arg(long, env = "APP_PORT", default_value = "80")]
        port: u16,
        #[serde(default = "default_port", rename = "otherPort")]
        other: u16,
    }

    fn run() {
        let depth = options.depth.unwrap_or(40);
    }
"""
SCRIPT = """
    const TTL = 60 * 5
    export const defaults = { port: 5173, 'strict-port': false, inner: { on: true }, hosts: ['a'] } as const
    const options = { level: { type: 'string', default: 'info' } }
    const schema = z.object({ retries: z.coerce.number().default(3) })
    const list = [{ name: 'width', default: 80 }]
    class Cache { size = 16; }
    function run({ depth = 3 }, wide = 4) {
        const port = process.env.APP_PORT ?? 80
        const wait = config.wait || 500
        program.option('-l, --limit <n>', 'help', 10)
    }
"""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DefaultPort", 80),
        ("Timeout", Duration(5)),
        ("Sizes", 1048576),
        ("Names", Items(("a", "b"))),
        ("DefaultConfig.Config.Port", Reference("DefaultPort")),
        ("DefaultConfig.Config.Wait", Duration(10)),
        ("DefaultConfig.Config.Inner.Inner.Depth", 3),
        ("DefaultConfig.Config.Tags", Entries((("a", 1),))),
        ("Server.SetDefaults.Retries", 4),
        ("Options.Level", "info"),
        ("Options.Watch", False),
        ("flags.--web.depth", 4),
        ("flags.--threads", 2),
        ("flags.APP_THREADS", 2),
        ("flags.EnvName", "x"),
        ("flags.sums", Items(("md5", "sha1"))),
        ("flags.--port", 8080),
        ("flags.--name", "x"),
        ("flags.cache.ttl", "5m"),
        ("flags.--web.listen", "0.0.0.0:9090"),
        ("flags.cli.IntFlag.--depth", 7),
        ("flags.fs.Option.chunk_size", 8),
        ("flags.cli.BoolFlag.--loud", False),
    ],
)
def test_go(name: str, value: object) -> None:
    """Constants, literals of structs in defaults, tags, flags of several libraries, described options."""
    assert of(GO, "x.go")[name].value == value


def test_other_names_in_go() -> None:
    """Short flags, variables, tags."""
    found = of(GO, "x.go")
    assert found["flags.--name"].also == ("-n",)
    assert found["flags.cli.IntFlag.--depth"].also == ("--d", "APP_DEPTH")
    assert found["Options.Level"].also == ("log_level",)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TTL", 300),
        ("default_port", 8080),
        ("Config.default.Config.wait", Duration(0.5)),
        ("Config.default.Config.name", "x"),
        ("Config.default.Config.port", Reference("default_port")),
        ("Config.default.Config.on", True),
        ("Config.default.Config.none", None),
        ("Config.default.Config.some", 3),
        ("Args.--port", 80),
        ("Args.other", Reference("default_port")),
        ("run.depth", 40),
    ],
)
def test_rust(name: str, value: object) -> None:
    """Constants, `Default`, attributes of clap and serde, `unwrap_or`."""
    assert of(RUST, "x.rs")[name].value == value


def test_other_names_in_rust() -> None:
    """The field of a flag, its variable, its name in a file."""
    found = of(RUST, "x.rs")
    assert (found["Args.--port"].also, found["Args.other"].also) == (("port", "APP_PORT"), ("otherPort",))


@pytest.mark.parametrize("file", ["x.ts", "x.js", "x.tsx", "x.mjs"])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TTL", 300),
        ("defaults.port", 5173),
        ("defaults.strict-port", False),
        ("defaults.inner.on", True),
        ("defaults.hosts", Items(("a",))),
        ("options.level.default", "info"),
        ("list.width", 80),
        ("schema.retries", 3),
        ("Cache.size", 16),
        ("run.depth", 3),
        ("run.port.process.env.APP_PORT", 80),
        ("run.wait.config.wait", 500),
        ("run.--limit", 10),
    ],
)
def test_javascript(file: str, name: str, value: object) -> None:
    """Constants, entries of objects, described options, parameters, `??`, options of commander."""
    assert of(SCRIPT, file)[name].value == value


def test_a_described_option_is_a_field() -> None:
    """`level: {default: 'info'}` is an entry with a mapping, and a field with a default."""
    found = [item for item in definitions(dedent(SCRIPT), "x.ts") if item.name == "level"]
    assert [(item.kind, item.value) for item in found][1] == (Kind.FIELD, "info")


JAVA = """
    @ConfigurationProperties("app")
    public class Cache {
        public static final int MAX = 5 * 2;
        private Duration age = Duration.ofMinutes(5);
        @JsonProperty("num-threads") private long threads = 10L;
        @Value("${app.cache.ttl:30}") private int ttl;
        private List<String> names = List.of("a", "b");
        static final ConfigOption<Integer> PORT = ConfigOptions.key("rest.port").intType().defaultValue(8081);
        void start() { int size = config.getInt("cache.size", 7); }
    }
"""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Cache.MAX", 10),
        ("Cache.age", Duration(300)),
        ("Cache.threads", 10),
        ("Cache.app.cache.ttl", 30),
        ("Cache.names", Items(("a", "b"))),
        ("Cache.rest.port", 8081),
        ("Cache.start.size", 7),
    ],
)
def test_java(name: str, value: object) -> None:
    """Constants, fields, `@Value`, options with a key, calls with a name and a default."""
    found = of(JAVA, "x.java")
    assert found[name].value == value
    assert found["Cache.threads"].also == ("num-threads",)


CSHARP = """
    public class Options : Base {
        public const int Max = 5;
        private static readonly TimeSpan Age = TimeSpan.FromMinutes(5);
        public int Port { get; set; } = 80;
        [DefaultValue(7)] public int Depth { get; set; }
        public string[] Names { get; } = { "a", "b" };
        void Start() { var size = configuration.GetValue<int>("Cache:Size", -9); }
    }
"""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Options.Max", 5),
        ("Options.Age", Duration(300)),
        ("Options.Port", 80),
        ("Options.Depth", 7),
        ("Options.Names", Items(("a", "b"))),
        ("Options.Start.Size", -9),
    ],
)
def test_csharp(name: str, value: object) -> None:
    """Constants, properties, attributes, calls with a name and a default."""
    assert of(CSHARP, "x.cs")[name].value == value


@pytest.mark.parametrize("file", ["x.go", "x.rs", "x.ts", "x.js", "x.java", "x.cs"])
@pytest.mark.parametrize(
    "text", ["", "\x00", "}{" * 500, "const A = " + "(" * 2000, "x = `${", 'const a = "\\u{110000}";']
)
def test_broken_files(file: str, text: str) -> None:
    """A grammar parses what it can; nothing is fatal."""
    assert len(definitions(text, file)) < 10


@pytest.mark.parametrize(
    ("file", "text"),
    [("x.go", "package x\nvar y = a{}\n"), ("x.rs", "fn f() {{ a{}; }}\n"), ("x.ts", "const y = a{}\n")],
)
def test_a_long_chain_of_calls_is_read_in_bounded_time(file: str, text: str) -> None:
    """Trees are as deep as a chain is long."""
    with guarded():
        definitions(text.format(".b()" * 50_000), file)

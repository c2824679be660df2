import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import {
  BadUsage,
  HelpWanted,
  oneOf,
  positiveNumber,
  readCommandLine,
  text,
  toggle,
  unknownVariables,
  VersionWanted,
  wholeNumber
} from "../../src/platform/commandLine.ts"
import { readHttpAddressOr } from "../../src/platform/addresses/http.ts"
import { settingsTable, together } from "../../src/app/Settings.ts"
import { withSettings } from "../../tools/docs/writeSettings.ts"

const table = {
  port: { value: "PORT", help: "Port", read: wholeNumber(0, 65535), fallback: "8080", env: "T_PORT" },
  connectTimeout: { value: "SECONDS", help: "Patience", read: positiveNumber(600), fallback: "5" },
  logFormat: { value: "FORMAT", help: "Format", read: oneOf("json", "pretty"), fallback: "json" },
  replay: { value: "FILE", help: "File", read: text, fallback: "-" },
  packed: { help: "Pack", read: toggle, fallback: "false", env: "T_PACKED" }
} as const

const read = (argv: ReadonlyArray<string>, environment: Record<string, string | undefined> = {}) =>
  readCommandLine("usage: it", table, argv, environment)

const sentence = (argv: ReadonlyArray<string>, environment: Record<string, string> = {}) => {
  const failure = Either.getOrUndefined(Either.flip(read(argv, environment)))
  return failure instanceof BadUsage ? failure.sentence : undefined
}

/** The same for the service's own settings. */
const ofService = (argv: ReadonlyArray<string>, environment: Record<string, string> = {}) => {
  const failure = Either.getOrUndefined(
    Either.flip(readCommandLine("usage: it", settingsTable, argv, environment))
  )
  return failure instanceof BadUsage ? failure.sentence : undefined
}

const defaults = { port: 8080, connectTimeout: 5, logFormat: "json", replay: "-", packed: false }

describe("readCommandLine", () => {
  it("has the defaults without flags and environment", () => {
    expect(Either.getOrThrow(read([]))).toEqual(defaults)
    expect(Either.getOrThrow(read([], { T_PORT: undefined, OTHER: "x" }))).toEqual(defaults)
  })

  it("prefers a flag to the environment, and the environment to the default", () => {
    const environment = { T_PORT: "2" }
    expect(Either.getOrThrow(read([], environment)).port).toBe(2)
    expect(Either.getOrThrow(read(["--port", "1"], environment)).port).toBe(1)
    expect(Either.getOrThrow(read(["--port=1"], environment)).port).toBe(1)
    expect(Either.getOrThrow(read(["--port", "1", "--port", "3"], environment)).port).toBe(3)
  })

  it("takes flags in kebab case, and switches without a value", () => {
    const argv = ["--connect-timeout", "0.25", "--log-format", "pretty", "--packed", "--replay", "a b"]
    expect(Either.getOrThrow(read(argv))).toEqual({
      ...defaults,
      connectTimeout: 0.25,
      logFormat: "pretty",
      packed: true,
      replay: "a b"
    })
    expect(Either.getOrThrow(read([], { T_PACKED: "true" })).packed).toBe(true)
  })

  it.each([
    ["--port", "65536"],
    ["--port", "1.5"],
    ["--port", "0x10"],
    ["--port", "1e3"],
    ["--port", ""],
    ["--port", " 1"],
    ["--connect-timeout", "0"],
    ["--connect-timeout", "NaN"],
    ["--connect-timeout", "Infinity"],
    ["--connect-timeout", "601"],
    ["--connect-timeout", " "],
    ["--log-format", "toString"],
    ["--replay", "  "]
  ])("refuses %s %j with a sentence that names both", (flag, given) => {
    expect(sentence([flag, given])).toContain(`${flag} must be `)
    expect(sentence([flag, given])).toContain(JSON.stringify(given))
  })

  it("names the environment variable whose value is invalid", () => {
    expect(sentence([], { T_PORT: "many" })).toBe(
      'T_PORT must be a whole number between 0 and 65535, got "many"'
    )
    expect(sentence(["--port", "1"], { T_PORT: "many" })).toBeUndefined()
    // A key that every object has is not a value of the table.
    for (const given of ["constructor", "toString", "__proto__", "yes"]) {
      expect(sentence([], { T_PACKED: given })).toContain("T_PACKED must be true or false")
    }
  })

  it("takes an empty variable for unset, unless the setting protects the service", () => {
    expect(sentence([], { T_PORT: "", T_PACKED: "" })).toBeUndefined()
    expect(sentence(["--port", ""], {})).toContain("--port must be")
    for (const name of ["TELEMETRY_TOKEN", "TELEMETRY_READ_ONLY"]) {
      expect(ofService([], { [name]: "" })).toContain(`${name} must be`)
    }
    const unset = { TELEMETRY_PORT: "", TELEMETRY_DATA: "", OTEL_EXPORTER_OTLP_ENDPOINT: "" }
    expect(ofService([], unset)).toBeUndefined()
  })

  it("refuses an unknown variable, and suggests the setting that may be meant", () => {
    const environment = {
      TELEMETRY_PROT: "1",
      TELEMETRY_PORT: "2",
      TELEMETRY_TEST_CACHE: "x",
      TELEMETRY_X: "y",
      OTHER: "z"
    }
    expect(unknownVariables(settingsTable, environment, ["TELEMETRY_X"])).toEqual([
      "TELEMETRY_PROT is not a setting. Did you mean TELEMETRY_PORT?"
    ])
  })

  it("does not show an invalid secret", () => {
    const wrong = {
      catalog: "postgres://u:s3cret/x@h/d",
      points: "questdb://u:s3cret@h:0",
      otlp: "htp://u:s3cret@h",
      token: "s3cret\n"
    }
    for (const [key, given] of Object.entries(wrong)) {
      expect(ofService([`--${key}`, given])).toMatch(new RegExp(`^--${key} must be `))
      expect(ofService([`--${key}`, given])).not.toContain("s3cret")
    }
  })

  it.each(["p@ss", "p/w", "w#rd", "p?w", "p@ss/w#rd"])(
    "asks for the password %s to be percent-encoded",
    (password) => {
      for (const [flag, scheme] of [
        ["--catalog", "postgres"],
        ["--otlp", "http"]
      ] as const) {
        const given = `${scheme}://user:${password}@host:5432/name`
        expect(ofService([flag, given])).toContain("percent-encoded")
        expect(
          ofService([flag, `${scheme}://user:${encodeURIComponent(password)}@host:5432/name`])
        ).toBeUndefined()
      }
    }
  )

  it.each([
    [["--colour"], "--colour"],
    [["--port", "--packed"], "--port needs a value: --port PORT"],
    [["-p"], "-p"],
    [["extra"], "extra"],
    [["--port"], "--port"],
    [["--port", "-1"], "--port"],
    [["--packed=1"], "--packed"],
    [["--no-packed"], "--no-packed"],
    [["--", "x"], "x"]
  ])("refuses %j in one line", (argv, named) => {
    const message = sentence(argv)
    expect(message).toContain(named)
    expect(message).not.toContain("\n")
  })

  it.each([
    ["--prot", "--port"],
    ["--pakced", "--packed"],
    ["--conect-timeout", "--connect-timeout"],
    ["--hlep", "--help"]
  ])("answers the slip %s with %s", (given, meant) => {
    expect(sentence([given])).toBe(`Unknown option '${given}'. Did you mean ${meant}?`)
  })

  it("suggests nothing if no setting is similar", () => {
    expect(sentence(["--telemetry"])).toBe("Unknown option '--telemetry'")
  })

  it("explains where to put flags that npm kept for itself", () => {
    const npm = { npm_lifecycle_event: "start", npm_config_connect_timeout: "9" }
    expect(sentence([], npm)).toBe(
      "npm kept --connect-timeout for itself; put flags after --: npm start -- --connect-timeout 9"
    )
    expect(sentence([], { npm_lifecycle_event: "demo", npm_config_packed: "true" })).toContain(
      "npm run demo -- --packed"
    )
    // npm 11 reports only that there was a flag, and leaves its value as a word.
    expect(sentence(["9"], { ...npm, npm_config_connect_timeout: "true" })).toBe(
      "npm kept --connect-timeout for itself; put flags after --: npm start -- --connect-timeout SECONDS"
    )
    // If the flag is in its right place, npm's setting of that name is npm's own.
    expect(sentence(["--connect-timeout", "3"], npm)).toBeUndefined()
    // A variable of another script, or of none.
    expect(sentence([], { ...npm, npm_lifecycle_event: "test" })).toBeUndefined()
    expect(sentence([], { npm_config_port: "9" })).toBeUndefined()
  })

  it.each([[["--version"]], [["-v"]], [["--port", "1", "--version"]]])("%j asks for the version", (argv) => {
    expect(Either.getOrThrow(Either.flip(read(argv)))).toBeInstanceOf(VersionWanted)
  })

  it("takes an HTTP address as it is, or the word for none", () => {
    const address = readHttpAddressOr("none")
    for (const good of ["none", "http://localhost:4318", "HTTPS://collector/v1"]) {
      expect(Either.getOrThrow(address(good))).toBe(good)
    }
    for (const bad of ["", "localhost:4318", "4318", "ftp://x", "http://", "none "]) {
      expect([bad, Either.isLeft(address(bad))]).toEqual([bad, true])
    }
  })

  it("lists every setting with flag, variable and default for --help and -h", () => {
    expect(Either.flip(read(["-h"]))).toEqual(Either.flip(read(["--help"])))
    const failure = Either.getOrThrow(Either.flip(read(["--help", "--port", "1"])))
    expect(failure).toBeInstanceOf(HelpWanted)
    const { text } = failure as HelpWanted
    expect(text.split("\n")[0]).toBe("usage: it")
    expect(text).toMatch(/--port PORT\s+Port \[T_PORT, default 8080\]/)
    expect(text).toMatch(/--connect-timeout SECONDS\s+Patience \[default 5\]/)
    expect(text).toMatch(/--packed\s+Pack \[T_PACKED\]/)
    expect(text).toMatch(/--help, -h\s+Show this/)
    expect(text).toMatch(/--version, -v\s+Show the version/)
  })

  it("does not throw, for any arguments", () => {
    const word = FastCheck.oneof(
      FastCheck.string(),
      FastCheck.constantFrom("--port", "--packed", "--help", "--", "-", "=", "--port=1", "--replay=", "1")
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(word, { maxLength: 6 }), word, (argv, variable) => {
        const port = Either.map(read(argv, { T_PORT: variable }), (values) => values.port)
        expect(Number.isInteger(Either.getOrElse(port, () => 0))).toBe(true)
      })
    )
  })
})

const settled = (argv: ReadonlyArray<string>) =>
  Either.flatMap(readCommandLine("usage", settingsTable, argv, {}), together)

describe("the service's settings", () => {
  it.each([
    [["--port", "70000"], '--port must be a whole number between 0 and 65535, got "70000"'],
    [["--workers", "0"], '--workers must be a whole number between 1 and 64, got "0"'],
    [["--log-level", "warnings"], "--log-level must be one of"],
    [["--connect-timeout", "0"], "--connect-timeout must be a number above 0"],
    [["--otlp", "collector:4318"], "--otlp must be none, or an address such as http://localhost:4318"]
  ])("are not %j", (argv, wrong) => {
    expect(ofService(argv)).toContain(wrong)
  })

  it("take warn for warning", () => {
    expect(ofService(["--log-level", "warn"])).toBeUndefined()
  })

  it("allow a limit of the store's size if the store can keep it, and otherwise name the alternative", () => {
    const questdb = ["--points", "questdb://db:9000"]
    expect(Either.getOrThrow(settled([]))).toMatchObject({ keep: "none", keepSize: "none" })
    expect(Either.getOrThrow(settled(["--keep-size", "0.5"])).keepSize).toBe(0.5)
    expect(Either.getOrThrow(settled(["--keep", "30", ...questdb])).keep).toBe(30)
    const refused = Either.getOrThrow(Either.flip(settled(["--keep-size", "5", ...questdb])))
    expect(refused).toBeInstanceOf(BadUsage)
    expect((refused as BadUsage).sentence).toMatch(
      /^--keep-size cannot be held with points in QuestDB.*ttl=30d/
    )
    expect(Either.getOrThrow(settled(["--keep", "30", "--remove-exports"])).removeExports).toBe(true)
    expect(Either.getOrThrow(Either.flip(settled(["--remove-exports"])))).toBeInstanceOf(BadUsage)
    for (const bad of ["0", "-1", "x"]) expect(Either.isLeft(settled([`--keep=${bad}`]))).toBe(true)
  })
})

it("docs/settings.md has every setting as --help lists it", () => {
  const page = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8")
  expect(page).toBe(withSettings(page))
})

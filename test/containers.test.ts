/** What the containers are given is what the programs in them understand. */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { natsVersion } from "../tools/provision/nats.ts"
import { testedVersion } from "../tools/provision/questdb.ts"
import { USUAL_PORTS } from "../src/simulators/connection/GamePorts.ts"
import { settingsTable } from "../src/app/Settings.ts"
import { protocol as gt7 } from "../src/simulators/drivers/gt7/Gt7Driver.ts"

/** Plain JavaScript, which runs before anything is built. */
const tool = async <A>(name: string) =>
  (await import(new URL(`../tools/${name}.mjs`, import.meta.url).href)) as A
const { parts } = await tool<{
  readonly parts: ReadonlyArray<{ readonly name: string; readonly madeOf: ReadonlyArray<string> }>
}>("buildStale")
const { always } = await tool<{ readonly always: ReadonlyArray<string> }>("parts")

const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const textOf = (name: string) => readFileSync(pathOf(name), "utf8")
const compose = ["docker-compose.yml", "docker-compose.servers.yml", "docker-compose.cluster.yml"]
  .map(textOf)
  .join("\n")
const dockerfile = textOf("Dockerfile")

/** Settings by their environment variable. */
const settings = new Map<string, (given: string) => Either.Either<unknown, string>>(
  Object.values(settingsTable).map(({ env, read }) => [env, read])
)

describe("the containers", () => {
  it("set only what is a setting, to what it takes", () => {
    const said = [
      ...compose.matchAll(/^\s+(TELEMETRY_\w+): (\S+)$/gm),
      ...dockerfile.matchAll(/\b(TELEMETRY_\w+)=(\S+)/g)
    ].map(([, name, value]) => [name!, value!.replace(/\$\{\w+:-(\w+)\}/, "$1")] as const)
    expect([...new Set(said.map(([name]) => name))].sort()).toEqual([
      "TELEMETRY_CATALOG",
      "TELEMETRY_DATA",
      "TELEMETRY_HOST",
      "TELEMETRY_POINTS",
      "TELEMETRY_RELAY"
    ])
    for (const [name, value] of said) expect(Either.isRight(settings.get(name)!(value))).toBe(true)
  })

  it("start the program that the package starts, of what is there", () => {
    const { bin } = JSON.parse(textOf("package.json")) as { readonly bin: Readonly<Record<string, string>> }
    expect(/^CMD \["node", "(.*)"\]$/m.exec(dockerfile)?.[1]).toBe(bin["telemetry"])
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths]) =>
      paths!.split(" ")
    )
    expect(copied.length).toBeGreaterThan(3)
    for (const path of copied) expect([path, existsSync(pathOf(path))]).toEqual([path, true])
  })

  it("are built of all that the program and the pages are made of", () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths]) =>
      paths!.split(" ")
    )
    const wanted = parts.filter(({ name }) => name !== "client").flatMap(({ madeOf }) => madeOf)
    expect(wanted).toContain("web")
    // npm makes these where the image is built.
    const needed = [...wanted, ...always].filter((path) => !path.startsWith("node_modules/"))
    const missing = needed.filter(
      (path) => !copied.some((folder) => path === folder || path.startsWith(`${folder}/`))
    )
    expect(missing).toEqual([])
  })

  it("publish the ports that games send to", () => {
    // The index has: | Name | `driver` | port | the game sends | …
    const sentTo = [...textOf("docs/simulators.md").matchAll(/^\| .* \| (\d+) \| the game sends \|/gm)].map(
      ([, port]) => port!
    )
    expect(new Set(sentTo)).toEqual(new Set(["20777", "5606", "4444", "6776", "7576"]))
    const answers = String(gt7.answersTo!(gt7.ports[0]!))
    // Forza's port is the player's to choose: the one that its page proposes.
    const forza = /(\d+) is a\s+good choice/.exec(textOf("docs/simulators/forza.md"))![1]!
    expect(USUAL_PORTS.map(String).sort()).toEqual([...new Set([...sentTo, forza])].sort())
    const wanted = [...new Set([...sentTo, forza, answers])].sort()
    const published = [...compose.matchAll(/^ {6}- "(\d+):\1\/udp"/gm)].map(([, port]) => port!)
    expect(published.sort()).toEqual(wanted)
    const exposed = [...dockerfile.matchAll(/(\d+)\/udp/g)].map(([, port]) => port!)
    expect(exposed.sort()).toEqual(wanted)
  })

  it("publish what may be asked without a token to this machine alone", () => {
    const published = [...compose.matchAll(/^ {6}- "(\S+)"/gm)].map(([, port]) => port!)
    const streams = published.filter((port) => !port.endsWith("/udp"))
    const unset = streams.map((port) => port.replace(/\$\{\w+:-(.*?)\}/, "$1"))
    expect(unset).toContain("127.0.0.1:8080:8080")
    expect(unset.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([])
    // To others without an edit: a file that is added adds ports, and this one would be in use.
    expect(streams).toContain("${PUBLISH_ADDRESS:-127.0.0.1}:8080:8080")
    // Without a value it is the one of the shell, or none; an empty one would be refused.
    expect(compose).toMatch(/^ {4}environment:\n(?: {6}.*\n)* {6}TELEMETRY_TOKEN:\n/m)
  })

  it("run the QuestDB and the NATS that the tests run against, which is set up as the docs say", () => {
    expect(compose).toContain(`image: questdb/questdb:${testedVersion}`)
    expect(compose).toContain(`image: nats:${natsVersion}`)
    const advised = /no_fast_producer_stall[^`]*/.exec(textOf("docs/scaling.md"))![0].trim().split("\n")
    expect(compose).toContain(advised.map((line) => `      ${line}`).join("\n"))
  })
})

/** What the containers are told is what the programs in them understand. */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { testedVersion } from "../src/provision/questdb.ts"
import { settingsTable } from "../src/Settings.ts"

const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const textOf = (name: string) => readFileSync(pathOf(name), "utf8")
const compose = textOf("docker-compose.yml")
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
    expect(said.map(([name]) => name).sort()).toEqual([
      "TELEMETRY_CATALOG",
      "TELEMETRY_DATA",
      "TELEMETRY_HOST",
      "TELEMETRY_POINTS"
    ])
    for (const [name, value] of said) expect(Either.isRight(settings.get(name)!(value))).toBe(true)
  })

  it("start what is built, of what is there", () => {
    const main = /^CMD \["node", "dist\/(.*)\.js"\]$/m.exec(dockerfile)?.[1]
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths]) =>
      paths!.split(" ")
    )
    for (const path of [`${main}.ts`, ...copied])
      expect([path, existsSync(pathOf(path))]).toEqual([path, true])
  })

  it("run the QuestDB that the tests run against", () => {
    expect(compose).toContain(`image: questdb/questdb:${testedVersion}`)
  })
})

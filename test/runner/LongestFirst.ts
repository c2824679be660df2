/**
 * The order in which files run: those that take longest begin first, so that none is left at the end while the machine has
 * nothing else to do; those that mostly wait, for processes and browsers of their own, in turns with those that compute, so
 * that the cores always have something to do.
 *
 * How long each took is measured: `TELEMETRY_TEST_ORDER=write npm run vitest` keeps it in longest.json.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { basename } from "node:path"
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from "vitest/node"

const file = new URL("./longest.json", import.meta.url)
/** Shorter ones fill what the long ones leave, in any order. */
const LONG_S = 10

const nameOf = (moduleId: string): string =>
  /\/test\/(.+)\.test\.ts$/.exec(moduleId)?.[1] ?? basename(moduleId)

const longest = JSON.parse(readFileSync(file, "utf8")) as ReadonlyArray<string>

const rank = ({ moduleId }: TestSpecification): number => {
  const at = longest.indexOf(nameOf(moduleId))
  return at === -1 ? longest.length : at
}

const waits = ({ moduleId }: TestSpecification): boolean => /\/test\/(blackbox|web)\//.test(moduleId)

/** One of those that hold, then one of the others, for as long as there are both. */
const inTurns = <A>(all: ReadonlyArray<A>, holds: (one: A) => boolean): Array<A> => {
  const first = all.filter(holds)
  const second = all.filter((one) => !holds(one))
  const longer = Math.max(first.length, second.length)
  return Array.from({ length: longer }, (_, n) => [first[n], second[n]])
    .flat()
    .filter((one) => one !== undefined)
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
    return inTurns(sorted, waits)
  }
}

/** Keeps the files that took long, the longest first. */
export class KeepLongest implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    if (process.env["TELEMETRY_TEST_ORDER"] !== "write") return
    const took = new Map<string, number>()
    for (const module of modules) {
      took.set(nameOf(module.moduleId), module.diagnostic().duration)
    }
    const long = [...took].filter(([, ms]) => ms > LONG_S * 1000).sort(([, a], [, b]) => b - a)
    writeFileSync(
      file,
      `${JSON.stringify(
        long.map(([name]) => name),
        undefined,
        2
      )}\n`
    )
  }
}

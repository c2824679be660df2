/** Lists at the end of a run the suites and tests that were left out, by reason: each reason once, with their names. */
import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node"

interface LeftOutTask {
  readonly name: string
  readonly tests: number
}

const testsOf = (task: TestCase | TestSuite): number =>
  task.type === "test" ? 1 : [...task.children.allTests()].length

/** The outermost suites and tests with a reason for being left out. */
const leftOutIn = function* (
  tasks: Iterable<TestCase | TestSuite>
): Generator<readonly [reason: string, task: LeftOutTask]> {
  for (const task of tasks) {
    const reason = task.meta().leftOut
    if (reason !== undefined) yield [reason, { name: task.fullName, tests: testsOf(task) }]
    else if (task.type === "suite") yield* leftOutIn(task.children)
  }
}

/** Sorted without repetition, by reason; a name stands once for the runs of two projects. */
export const summaryOf = (modules: ReadonlyArray<TestModule>): ReadonlyArray<string> => {
  const reasons = new Map<string, Map<string, number>>()
  for (const module of modules) {
    const file = module.relativeModuleId.replace(/^test\//, "").replace(/\.test\.ts$/, "")
    for (const [reason, { name, tests }] of leftOutIn(module.children)) {
      const named = reasons.get(reason) ?? new Map<string, number>()
      reasons.set(reason, named.set(`${file}: ${name}`, tests))
    }
  }
  return [...reasons].flatMap(([reason, named]) => {
    const count = [...named.values()].reduce((sum, tests) => sum + tests, 0)
    return [`${count} tests left out: ${reason}`, ...[...named.keys()].sort().map((name) => `  ${name}`)]
  })
}

export class LeftOut implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const lines = summaryOf(modules)
    if (lines.length > 0) console.log(`\n${lines.join("\n")}`)
  }
}

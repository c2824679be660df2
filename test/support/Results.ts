/** Keeps what became of each file, for who runs those that failed once more (tools/tests.mjs). */
import { writeFileSync } from "node:fs"
import type { Reporter, SerializedError, TestModule } from "vitest/node"

const resultOf = (module: TestModule) => {
  const tests = [...module.children.allTests()].map((test) => test.result().state)
  const count = (state: "failed" | "passed" | "skipped") => tests.filter((one) => one === state).length
  return {
    file: module.moduleId,
    project: module.project.name,
    // One that did not end, because its process did, is none of these.
    held: module.state() === "passed" || module.state() === "skipped",
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped")
  }
}

export class Results implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<SerializedError>): void {
    const file = process.env["TELEMETRY_TEST_RESULTS"]
    if (file === undefined) return
    // Thrown outside of tests: some say in which file.
    const thrownIn = errors.map((error) => (error["VITEST_TEST_PATH"] as string | undefined) ?? null)
    writeFileSync(file, JSON.stringify({ files: modules.map(resultOf), thrownIn }))
  }
}

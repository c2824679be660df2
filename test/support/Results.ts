/** Keeps the result of each file, so that tools/tests.mjs can run failed ones once more. */
import { writeFileSync } from "node:fs"
import type { Reporter, SerializedError, TestModule } from "vitest/node"

const resultOf = (module: TestModule) => {
  const tests = [...module.children.allTests()].map((test) => test.result().state)
  const count = (state: "failed" | "passed" | "skipped") => tests.filter((one) => one === state).length
  return {
    file: module.moduleId,
    project: module.project.name,
    // A file that did not end, because its process did, has none of these results.
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
    // Errors outside of tests: some name their file.
    const thrownIn = errors.map((error) => (error["VITEST_TEST_PATH"] as string | undefined) ?? null)
    writeFileSync(file, JSON.stringify({ files: modules.map(resultOf), thrownIn }))
  }
}

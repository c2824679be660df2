/** Bundles the threads of the sources for a run, and again when watched sources have changed (src/platform/threads/entry.ts). */
import { fileURLToPath } from "node:url"
import type { TestProject } from "vitest/node"

const FOLDER = fileURLToPath(new URL("../../node_modules/.cache/threads", import.meta.url))

const { makeThreads } = (await import(new URL("../../tools/program.mjs", import.meta.url).href)) as {
  makeThreads: (folder: string) => Promise<void>
}

export default async (project: TestProject) => {
  await makeThreads(FOLDER)
  process.env["TELEMETRY_TEST_THREADS"] = FOLDER
  project.onTestsRerun(() => makeThreads(FOLDER))
}

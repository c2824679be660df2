/**
 * The order in which files run: those that take longest begin first, so that none is left at the end while the machine has
 * nothing else to do. Files of a project stay together, for those that share a process (`isolate: false`) can do so only
 * one after another.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files that take ten seconds and more, as measured; a new one that does is to be added. */
const longest = [
  "bench/smoke",
  "blackbox/serversLost",
  "blackbox/simulators",
  "blackbox/captures",
  "blackbox/workers",
  "blackbox/workersReplaced",
  "blackbox/recordings",
  "web/live",
  "blackbox/trpc",
  "web/recorded",
  "blackbox/migrate",
  "migrate/migrate",
  "analysis/anomalies",
  "blackbox/serversAway",
  "store/spooled",
  "store/sqlite/processes",
  "blackbox/questdbSuspended",
  "http/streaming"
]

/** The order of vitest.config.ts. */
const projects = ["here", "workers", "parts"]

const rank = ({ moduleId, project }: TestSpecification): number => {
  const at = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
  return projects.indexOf(project.name) * (longest.length + 1) + (at === -1 ? longest.length : at)
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

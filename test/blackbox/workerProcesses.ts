import { readFileSync } from "node:fs"
import type { Running } from "./processes.ts"

/** The process ids of a service's workers. */
export const workersOf = ({ child }: Running): ReadonlyArray<number> =>
  readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ").map(Number)

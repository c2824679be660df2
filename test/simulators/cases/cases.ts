/** The smallest inputs that once had a wrong outcome, with the right one (../shared/data/cases). */
import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { sharedFolder } from "../../support/sharedData.ts"
import { handedOf } from "./handed.ts"
import type { Right } from "./judge.ts"
import { type RecordedSession, recordedOf } from "./recorded.ts"

const folder = sharedFolder("data/cases")

const f1 = (right: Omit<Right, "simulator">): Right => ({ simulator: "f1", ...right })

/** The form that the README beside the cases describes. */
const first: Readonly<Record<string, Right>> = {
  "f1-practice-second-run": f1({
    sessions: [{ laps: [{ number: 3, time: 5.903, valid: true, span: 5.9, points: 118 }], best: 5.903 }]
  }),
  "f1-final-lap-20hz": f1({ sessions: [{ laps: [{ number: 2, time: 6.035, valid: true }] }] }),
  "f1-pause-over-a-minute": f1({
    sessions: [{ laps: [{ number: 2, time: 6, valid: true, span: 6, points: 120 }], duration: 13 }]
  }),
  "f1-empty-session-packets": f1({ sessions: [{ circuit: ["Silverstone", "Unknown"] }] }),
  "f1-flashback-over-the-line": f1({
    sessions: [
      {
        laps: [6.1, 6.4, 6.2].map((time, n) => ({ number: n + 1, time, valid: true })),
        numbers: [1, 2, 3],
        best: 6.1
      }
    ]
  }),
  "f1-grid-extra-lap": f1({ sessions: [{ numbers: [1, 2], total_laps: 3 }] }),
  "gt7-menu-after-replay": { simulator: "gt7", connect: { replays: true }, no_point_after: 2.3 },
  "native-counter-glitch": { simulator: "native", sessions: [{ best: 20 }] }
}

const inFolder = (rights: Readonly<Record<string, Right>>, path: string) =>
  Object.entries(rights).map(([name, right]) => [name, right, `${path}/${name}.ndjson.gz`] as const)

/** All cases, by their names. */
export const readCases = (): ReadonlyArray<readonly [name: string, right: Right, file: string]> => {
  const laps = JSON.parse(readFileSync(`${folder}/laps/expected.json`, "utf8")) as Record<string, Right>
  return [...inFolder(first, folder), ...inFolder(laps, `${folder}/laps`)]
}

/** The service's outcome for a case, or for the lines to which it is `changed`. */
export const recordedOfCase = (right: Right, file: string, changed?: Parameters<typeof handedOf>[3]) =>
  Effect.suspend(() => {
    const { circuit, driver, start_line, vehicle, ...options } = right.connect ?? {}
    const own = { ...options, ...(start_line === undefined ? {} : { startLine: start_line }) }
    const handed = handedOf(file, right.simulator, own, changed)
    const names = { circuit, driver, vehicle } as Parameters<typeof recordedOf>[0]
    return recordedOf(names, right.simulator === "native", handed)
  })

export interface Case {
  readonly name: string
  readonly right: Right
  readonly file: string
  readonly whole: ReadonlyArray<RecordedSession>
}

/** All cases with the service's outcomes, once for all tests. */
export const casesOnce = Effect.runSync(
  Effect.cached(
    Effect.suspend(() =>
      Effect.forEach(readCases(), ([name, right, file]) =>
        Effect.map(recordedOfCase(right, file), (whole): Case => ({ name, right, file, whole }))
      )
    )
  )
)

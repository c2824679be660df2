/**
 * Range reads with channels beside the points: a lap and a session with 10, 50 and 150 channels of ten groups, all sent
 * at 60 Hz, each as of the point's time. Compared with the same from ready objects and from raw bytes
 * (suite/readings.ts).
 *
 *   npm run bench -- rangesChannels        (RUNS by environment)
 */
import { scaled, wanted } from "./suite/comparison.ts"
import { fetched } from "./suite/download.ts"
import { type DrivenSession, recordedPoints } from "./suite/drivenSession.ts"
import { startProgram } from "./suite/programs.ts"
import { compareAnswers } from "./suite/readings.ts"
import { recorded, type RecordedGroup } from "./suite/recordedSession.ts"

const session: DrivenSession = {
  points: scaled(30_000, 1200),
  lapPoints: scaled(6000, 600),
  floats: false
}

const GROUPS = 10
const IN_GROUP = 15

/** Temperatures, pressures, forces: values of three decimal places, each with a period of its own. */
const valueOf = (group: number) => (channel: number, point: number) =>
  Math.round(1000 * (80 + 20 * Math.sin((point + 97 * group) / (30 + 7 * channel)))) / 1000

const groups = Array.from({ length: GROUPS }, (_, g): RecordedGroup => ({
  name: `bench_${g}`,
  channels: Array.from({ length: IN_GROUP }, (__, c) => `bench_${g}_${c}`),
  value: valueOf(g)
}))

/** This many of the first channels of each group. */
const readings = [1, 5, IN_GROUP].flatMap((each) => {
  const names = groups.flatMap(({ channels }) => channels.slice(0, each)).join(",")
  const { lapPoints, points } = session
  const accept = "application/json"
  const range = `/api/v1/telemetry/range?session_id=1&channels=${names}`
  const lap = `/api/v1/2/telemetry?channels=${names}`
  return [
    { name: "a lap", each, accept, path: lap, from: lapPoints, to: 2 * lapPoints, requests: scaled(20, 2) },
    { name: "a session", each, accept, path: range, from: 0, to: points, requests: scaled(2, 1) }
  ]
})
type Asked = (typeof readings)[number]

const all = recordedPoints(session)

const check = (body: Buffer, { each, from, name, to }: Asked) => {
  const { points } = JSON.parse(body.toString()) as {
    points: ReadonlyArray<Readonly<Record<string, number>>>
  }
  if (points.length !== to - from) throw new Error(`${name}: ${points.length} points of ${to - from}`)
  for (const [index, point] of points.entries()) {
    const values = groups.flatMap(({ channels, value }) =>
      channels.slice(0, each).map((channel, c) => [channel, value(c, from + index)] as const)
    )
    const wrong = [...Object.entries(all[from + index]!), ...values].find(
      ([key, value]) => point[key] !== value
    )
    if (wrong !== undefined) throw new Error(`${name}: ${String(wrong)} was answered as ${point[wrong[0]]}`)
  }
}

const service = await recorded(session, groups)
const questions = JSON.stringify(readings.map(({ accept, path }) => ({ accept, path })))
const objects = await startProgram("baselines/answerParsed.ts", [service.url, questions])
const bytes = await startProgram("baselines/answerBytes.ts", [service.url, questions])
for (const reading of readings) {
  const title = `${reading.name} with ${GROUPS * reading.each} channels`
  if (!wanted(title)) continue
  const expected = await fetched(service.url, reading)
  check(expected, reading)
  await compareAnswers(title, { service, objects, bytes }, reading, expected)
}
for (const program of [service, objects, bytes]) await program.stop()

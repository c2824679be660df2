/**
 * Reads recordings from the service and from its two baselines: points as ready objects, made to text for each answer
 * (baselines/answerObjects.ts), and the answers' bytes from memory (baselines/answerBytes.ts).
 *
 * All answers of all three are the same, byte by byte (except for an Arrow stream, which is compared with JSON of ready
 * objects). Those of the service are parsed once and compared with what was recorded. Servers are warm when the clock
 * starts. Memory is the server's peak in a run.
 */
import { isDeepStrictEqual } from "node:util"
import { compare, type Figures, scaled } from "./comparison.ts"
import { download, fetched, hangUp, type Question } from "./download.ts"
import { type DrivenSession, type Point, recordedPoints } from "./drivenSession.ts"
import { median } from "./figures.ts"
import { type Program, type Service, startProgram } from "./programs.ts"
import { recorded } from "./recordedSession.ts"

export interface Reading extends Question {
  readonly name: string
  /** Points of the session in the answer: `from` (inclusive) to `to` (exclusive). */
  readonly from: number
  readonly to: number
  /** The requests of a run, one after another. */
  readonly requests: number
  /** Parses the points from an answer of the service. */
  readonly pointsIn: (body: Buffer) => ReadonlyArray<Point>
  /** The content type and path for ready objects, where they differ from the service's. */
  readonly objectsAs?: string
  readonly objectsPath?: string
  /** How many times as fast as ready objects, at least. */
  readonly goal?: number
}

/** The points of a CSV, which may have more columns. */
export const csvPoints = (body: Buffer): ReadonlyArray<Point> => {
  const [header, ...rows] = body.toString().trimEnd().split("\r\n")
  const names = header!.split(",")
  return rows.map((row) => {
    const values = row.split(",")
    const { lap_number: _, ...point } = Object.fromEntries(names.map((name, i) => [name, Number(values[i])]))
    return point as Point
  })
}

const MIB = 1024 * 1024

const run = async (
  program: Program,
  url: string,
  reading: Omit<Reading, "pointsIn">,
  expected: Buffer
): Promise<Figures> => {
  const { from, requests, to } = reading
  hangUp()
  for (let n = 0; n < requests / 5; n++) await download(url, reading, expected)
  program.forgetPeak()
  const cpu = program.cpuSeconds()
  const firstBytes: Array<number> = []
  let millis = 0
  for (let n = 0; n < requests; n++) {
    const { firstByte, whole } = await download(url, reading, expected)
    firstBytes.push(firstByte)
    millis += whole
  }
  const points = requests * (to - from)
  return {
    "first byte, ms": median(firstBytes),
    "whole answer, ms": millis / requests,
    "M points/s": points / millis / 1000,
    "MB/s": (requests * expected.length) / millis / 1000,
    "us CPU a point": ((program.cpuSeconds() - cpu) / points) * 1e6,
    "peak MiB": program.memory().peak / MIB
  }
}

/** The service and its two baselines. */
export interface Answering {
  readonly service: Service
  readonly objects: Program
  readonly bytes: Program
}

/** Compares the cost of the same answers; `ofObjects`: the answer of ready objects, where it differs. */
export const compareAnswers = (
  title: string,
  { bytes, objects, service }: Answering,
  reading: Omit<Reading, "pointsIn">,
  expected: Buffer,
  ofObjects = expected
) =>
  compare({
    title: `${title}: ${reading.to - reading.from} points, ${(expected.length / MIB).toFixed(1)} MiB`,
    subjects: [
      {
        name: "ready objects",
        run: () =>
          run(
            objects,
            objects.line,
            {
              ...reading,
              accept: reading.objectsAs ?? reading.accept,
              path: reading.objectsPath ?? reading.path
            },
            ofObjects
          )
      },
      { name: "raw bytes", run: () => run(bytes, bytes.line, reading, expected) },
      { name: "service", run: () => run(service, service.url, reading, expected) }
    ],
    ratios: [
      { figure: "M points/s", of: "service", to: "ready objects", goal: { least: reading.goal ?? 3 } },
      { figure: "us CPU a point", of: "service", to: "ready objects" },
      { figure: "peak MiB", of: "service", to: "ready objects" },
      { figure: "M points/s", of: "service", to: "raw bytes" }
    ]
  })

const check = (body: Buffer, { name, from, pointsIn, to }: Reading, all: ReadonlyArray<Point>) => {
  const found = pointsIn(body)
  if (found.length !== to - from) throw new Error(`${name}: ${found.length} points of ${to - from}`)
  for (const [index, point] of found.entries()) {
    if (isDeepStrictEqual(point, all[from + index])) continue
    throw new Error(`${name}: ${JSON.stringify(point)} was recorded as ${JSON.stringify(all[from + index])}`)
  }
}

/** The sessions that are read: values rounded for display, and values as simulators send them. */
export const sessions: Readonly<Record<string, DrivenSession>> = {
  decimals: { points: scaled(1_000_000, 20_000), lapPoints: scaled(6000, 600), floats: false },
  "floats of 32 bits": { points: scaled(1_000_000, 20_000), lapPoints: scaled(6000, 600), floats: true }
}

/** Records the session, and compares each reading. */
export const compareReadings = async (
  kind: string,
  session: DrivenSession,
  readings: ReadonlyArray<Reading>
): Promise<void> => {
  const service = await recorded(session)
  const objects = await startProgram("baselines/answerObjects.ts", [service.url, JSON.stringify(session)])
  const questions = readings.map(({ accept, path }) => ({ accept, path }))
  const bytes = await startProgram("baselines/answerBytes.ts", [service.url, JSON.stringify(questions)])
  for (const reading of readings) {
    const expected = await fetched(service.url, reading)
    check(expected, reading, recordedPoints(session))
    const { objectsAs, objectsPath = reading.path } = reading
    const ofObjects =
      objectsAs === undefined
        ? expected
        : await fetched(service.url, { path: objectsPath, accept: objectsAs })
    await compareAnswers(
      `${reading.name}, ${kind}`,
      { bytes, objects, service },
      reading,
      expected,
      ofObjects
    )
  }
  for (const program of [service, objects, bytes]) await program.stop()
}

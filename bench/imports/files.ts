/** Files of other programs, made as large as wanted: a drive round a circle of 3 km, 60 records a second. */
import { closeSync, openSync, writeSync } from "node:fs"

const RATE = 60
const LENGTH_M = 3000
const SPEED = 50
const RADIUS_M = LENGTH_M / (2 * Math.PI)
const LATITUDE = 52
const METRES_PER_DEGREE = (6_371_000 * Math.PI) / 180
/** Records that are written at a time. */
const CHUNK = 1000

const placeAt = (distance: number) => {
  const angle = distance / RADIUS_M
  const [east, north] = [RADIUS_M * Math.sin(angle), RADIUS_M * Math.cos(angle)]
  const shrink = METRES_PER_DEGREE * Math.cos((LATITUDE * Math.PI) / 180)
  return { latitude: LATITUDE + north / METRES_PER_DEGREE, longitude: 1 + east / shrink, angle }
}

type Write = (buffer: Buffer, at: number, time: number) => void

interface Variable {
  readonly name: string
  readonly type: 1 | 2 | 4 | 5
  readonly unit: string
  readonly write: Write
}

const widths = { 1: 1, 2: 4, 4: 4, 5: 8 } as const

const double = (name: string, unit: string, value: (time: number) => number): Variable => ({
  name,
  type: 5,
  unit,
  write: (buffer, at, time) => buffer.writeDoubleLE(value(time), at)
})
const float = (name: string, unit: string, value: (time: number) => number): Variable => ({
  name,
  type: 4,
  unit,
  write: (buffer, at, time) => buffer.writeFloatLE(value(time), at)
})
const int = (name: string, value: (time: number) => number): Variable => ({
  name,
  type: 2,
  unit: "",
  write: (buffer, at, time) => buffer.writeInt32LE(value(time), at)
})

const metres = (time: number) => time * SPEED

/** As many variables as a real file has. */
const variables: ReadonlyArray<Variable> = [
  double("SessionTime", "s", (time) => time),
  int("SessionNum", () => 0),
  { name: "IsOnTrack", type: 1, unit: "", write: (buffer, at) => buffer.writeUInt8(1, at) },
  int("Lap", (time) => 1 + Math.floor(metres(time) / LENGTH_M)),
  float("LapDist", "m", (time) => metres(time) % LENGTH_M),
  float("LapDistPct", "%", (time) => (metres(time) % LENGTH_M) / LENGTH_M),
  float("Speed", "m/s", () => SPEED),
  float("RPM", "revs/min", (time) => 6000 + 500 * Math.sin(time)),
  int("Gear", () => 4),
  float("Throttle", "%", (time) => 0.5 + 0.5 * Math.sin(time)),
  float("Brake", "%", () => 0),
  double("Lat", "deg", (time) => placeAt(metres(time)).latitude),
  double("Lon", "deg", (time) => placeAt(metres(time)).longitude),
  float("Alt", "m", () => 100),
  float("YawNorth", "rad", (time) => placeAt(metres(time)).angle),
  ...Array.from({ length: 251 }, (_, n) =>
    float(`BenchChannel${n}`, "", (time) => n + Math.sin(time * (1 + n / 251)))
  )
]

export const IBT_VARIABLES = variables.length
const HEADS_AT = 144
const RECORD_BYTES = variables.reduce((sum, { type }) => sum + widths[type], 0)
const TEXT = "---\nWeekendInfo:\n TrackDisplayName: Bench Ring\n TrackLength: 3.00 km\n...\n"

const inChunks = (path: string, head: Buffer, count: number, chunk: (from: number, to: number) => Buffer) => {
  const file = openSync(path, "w")
  writeSync(file, head)
  for (let from = 0; from < count; from += CHUNK) writeSync(file, chunk(from, Math.min(count, from + CHUNK)))
  closeSync(file)
}

/** Writes an `.ibt` of about so many bytes. `start`: epoch seconds. Returns its number of records. */
export const writeIbt = (path: string, bytes: number, start: number): number => {
  const textAt = HEADS_AT + variables.length * 144
  const recordsAt = textAt + TEXT.length
  const records = Math.max(2, Math.floor((bytes - recordsAt) / RECORD_BYTES))
  const head = Buffer.alloc(recordsAt)
  const ints: ReadonlyArray<readonly [at: number, value: number]> = [
    [0, 2],
    [4, 1],
    [8, RATE],
    [16, TEXT.length],
    [20, textAt],
    [24, variables.length],
    [28, HEADS_AT],
    [32, 1],
    [36, RECORD_BYTES],
    [52, recordsAt],
    [140, records]
  ]
  for (const [at, value] of ints) head.writeInt32LE(value, at)
  head.writeBigInt64LE(BigInt(start), 112)
  head.writeDoubleLE((records - 1) / RATE, 128)
  head.write(TEXT, textAt, "latin1")
  const offsets: Array<number> = []
  variables.forEach(({ name, type, unit }, n) => {
    const at = HEADS_AT + n * 144
    offsets.push(n === 0 ? 0 : offsets[n - 1]! + widths[variables[n - 1]!.type])
    head.writeInt32LE(type, at)
    head.writeInt32LE(offsets[n]!, at + 4)
    head.writeInt32LE(1, at + 8)
    head.write(name, at + 16, "latin1")
    head.write(unit, at + 112, "latin1")
  })
  inChunks(path, head, records, (from, to) => {
    const chunk = Buffer.alloc((to - from) * RECORD_BYTES)
    for (let record = from; record < to; record++) {
      const at = (record - from) * RECORD_BYTES
      variables.forEach(({ write }, n) => write(chunk, at + offsets[n]!, record / RATE))
    }
    return chunk
  })
  return records
}

export const VBO_COLUMNS = 12

const VBO_HEAD = [
  "File created on 01/11/2026 @ 10:00",
  "[header]\nsatellites\ntime\nlatitude\nlongitude\nvelocity kmh\nheading\nheight\n",
  "[laptiming]\nStart -0060.1000000 +3145.7300000 -0059.9000000 +3145.7300000 \u00ac Start",
  "[column names]\nsats time lat long velocity heading height a b c d e\n[data]\n"
].join("\n\n")

const minutes = (degrees: number) =>
  `${degrees < 0 ? "-" : "+"}${Math.abs(degrees * 60)
    .toFixed(6)
    .padStart(12, "0")}`

const clockOf = (time: number) => new Date(time * 1000).toISOString().slice(11, 22).replaceAll(":", "")

/** Writes a `.vbo` of about so many bytes at 20 Hz. Returns its number of rows. */
export const writeVbo = (path: string, bytes: number): number => {
  const row = (n: number) => {
    const { angle, latitude, longitude } = placeAt(metres(n / 20))
    const heading = ((angle * 180) / Math.PI) % 360
    const own = [1, 2, 3, 4, 5].map((k) => (k * Math.sin(n / 20 / k)).toFixed(3))
    return `012 ${clockOf(n / 20)} ${minutes(latitude)} ${minutes(-longitude)} 180.00 ${heading.toFixed(2)} 100.00 ${own.join(" ")}\n`
  }
  const rows = Math.max(2, Math.floor((bytes - VBO_HEAD.length) / row(1000).length))
  inChunks(path, Buffer.from(VBO_HEAD, "utf8"), rows, (from, to) =>
    Buffer.from(Array.from({ length: to - from }, (_, i) => row(from + i)).join(""))
  )
  return rows
}

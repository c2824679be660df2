import { describe, expect, it } from "vitest"
import { Schema } from "effect"
import { Lap } from "../../src/domain/Lap.ts"
import { Session } from "../../src/domain/Session.ts"
import { plainEncoder } from "../../src/http/plainEncoder.ts"

const session = {
  id: 1,
  circuit: "A",
  vehicle: "B",
  driver: "C",
  datetime: 1.77e9,
  duration: 12,
  totalLaps: 0,
  bestLapTime: null,
  pinned: false
}
const lap = {
  id: 1,
  sessionId: 2,
  lapNumber: 3,
  lapTime: null,
  sector1Time: 1.5,
  sector2Time: null,
  sector3Time: null,
  valid: true
}

const outcome = (encode: () => unknown) => {
  try {
    return JSON.stringify(encode())
  } catch (error) {
    return String(error)
  }
}

/** The same text, or the same error. */
const agrees = <A, I>(schema: Schema.Schema<A, I>, value: unknown) => {
  const parsed = outcome(() => Schema.encodeSync(schema)(value as A))
  expect(outcome(() => plainEncoder(schema)(value as A))).toBe(parsed)
  return parsed
}

describe("plainEncoder", () => {
  it("gives what the parser gives, field by field in its order", () => {
    expect(agrees(Session, session)).toContain('"datetime":"2026-02-02T02:40:00"')
    agrees(Session, Object.fromEntries(Object.entries(session).toReversed()))
    agrees(Lap, lap)
    agrees(Lap, { ...lap, sectorSource: "derived", unknown: 1 })
    agrees(Lap, { ...lap, sectorSource: undefined })
    agrees(Schema.Array(Lap), [lap, { ...lap, lapTime: Number.NaN }])
  })

  it("fails as the parser does of what is none of the schema's values", () => {
    expect(agrees(Session, { ...session, id: 1.5 })).toContain("Int & positive")
    agrees(Session, { ...session, circuit: null })
    agrees(Session, { ...session, datetime: "now" })
    agrees(Lap, { ...lap, valid: undefined })
    agrees(Lap, { ...lap, sectorSource: "guessed" })
    agrees(Schema.Array(Lap), lap)
    agrees(Session, null)
  })

  it("leaves shapes that are not plain to the parser", () => {
    const Shape = Schema.Union(Schema.Struct({ a: Schema.Number }), Schema.Struct({ b: Schema.String }))
    expect(agrees(Shape, { b: "x" })).toBe('{"b":"x"}')
    agrees(Schema.Record({ key: Schema.String, value: Schema.Number }), { x: 1 })
  })
})

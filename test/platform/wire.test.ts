/** The names in answers: one schema, and the names on the wire. */
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { fromWire, toJson, toWire, wireSchema } from "../../src/platform/wire.ts"

const Inner = Schema.Struct({ lapId: Schema.Int, sector1Time: Schema.NullOr(Schema.Number) }).annotations({
  identifier: "Inner",
  description: "One lap"
})

const Outer = Schema.Struct({
  sessionId: Schema.Int.annotations({ description: "Whose" }),
  inRows: Schema.Array(Inner),
  perhapsOne: Schema.NullOr(Inner),
  byName: Schema.Record({ key: Schema.String, value: Inner }),
  leftOut: Schema.optional(Schema.Boolean),
  startedAt: Schema.transform(Schema.String, Schema.Number, { strict: true, decode: Number, encode: String }),
  column: Schema.Array(Schema.NullOr(Schema.Number))
})

const lap = { lapId: 1, sector1Time: null }
const wireLap = { lap_id: 1, sector1_time: null }

const value: typeof Outer.Type = {
  column: [1, null],
  sessionId: 7,
  inRows: [lap, lap],
  perhapsOne: null,
  byName: { fastestLap: lap },
  startedAt: 12
}

describe("toWire", () => {
  it("renames fields at every depth, and leaves the keys of records", () => {
    expect(toWire(Outer)({ ...value, perhapsOne: lap, leftOut: true })).toEqual({
      column: [1, null],
      session_id: 7,
      in_rows: [wireLap, wireLap],
      perhaps_one: wireLap,
      by_name: { fastestLap: wireLap },
      left_out: true,
      started_at: 12
    })
  })

  it("keeps the order of the value's keys", () => {
    expect(Object.keys(toWire(Outer)(value))).toEqual([
      "column",
      "session_id",
      "in_rows",
      "perhaps_one",
      "by_name",
      "started_at"
    ])
  })

  it("does not look into values without renamed fields", () => {
    expect(toWire(Outer)(value).column).toBe(value.column)
    const plain = { id: 1, circuit: "Spa" }
    expect(toWire(Schema.Struct({ id: Schema.Int, circuit: Schema.String }))(plain)).toBe(plain)
  })

  it("leaves out fields that the schema does not have", () => {
    expect(toWire(Inner)({ ...lap, besides: 1 } as typeof Inner.Type)).toEqual(wireLap)
  })
})

describe("wireSchema", () => {
  it("encodes the values of toWire, with its formats", () => {
    expect(Schema.encodeSync(wireSchema(Outer))(toWire(Outer)(value))).toMatchObject({
      session_id: 7,
      started_at: "12"
    })
  })

  it("is the schema itself if no field is renamed", () => {
    const plain = Schema.Struct({ id: Schema.Int, of: Schema.Array(Schema.NullOr(Schema.String)) })
    expect(wireSchema(plain).ast).toBe(plain.ast)
  })

  it("has the name and description of the schema that it is made from", () => {
    const written = Schema.Struct({
      lap_id: Schema.Int,
      sector1_time: Schema.NullOr(Schema.Number)
    }).annotations({ identifier: "Inner", description: "One lap" })
    expect(String(wireSchema(Inner).ast)).toBe(String(written.ast))
    expect(wireSchema(Inner).ast.toJSON()).toEqual(written.ast.toJSON())
  })

  it("is typed by the names on the wire", () => {
    const wire: Schema.Schema.Encoded<
      ReturnType<typeof wireSchema<typeof Inner.Type, typeof Inner.Encoded>>
    > = wireLap
    expect(wire.sector1_time).toBeNull()
  })
})

describe("fromWire", () => {
  const decode = Schema.decodeUnknownSync(fromWire(Outer))
  const sent = { ...toJson(Outer)({ ...value, perhapsOne: lap }), besides: true }

  it("takes the values of toJson, at every depth, and leaves out fields that the schema lacks", () => {
    expect(sent).toMatchObject({ started_at: "12", in_rows: [wireLap, wireLap] })
    expect(decode(sent)).toEqual({ ...value, perhapsOne: lap })
    expect(Schema.encodeSync(fromWire(Outer))(value)).toEqual(toJson(Outer)(value))
  })

  it("knows only the names on the wire, and names a missing one", () => {
    expect(() => decode({ ...sent, session_id: undefined, sessionId: 7 })).toThrow(/session_id/)
    expect(() => decode({ ...sent, in_rows: [{ ...wireLap, lap_id: "1" }] })).toThrow(/lap_id/)
  })

  it("gives missing fields their defaults, under either name", () => {
    const Defaulted = Schema.Struct({
      displayName: Schema.String,
      lapIds: Schema.optionalWith(Schema.Array(Schema.Int), { default: () => [] })
    })
    const decode = Schema.decodeUnknownSync(fromWire(Defaulted))
    expect(decode({ display_name: "Spa" })).toEqual({ displayName: "Spa", lapIds: [] })
    expect(decode({ display_name: "Spa", lap_ids: [1] })).toEqual({ displayName: "Spa", lapIds: [1] })
    expect(toJson(Defaulted)({ displayName: "Spa", lapIds: [2] })).toEqual({
      display_name: "Spa",
      lap_ids: [2]
    })
  })
})

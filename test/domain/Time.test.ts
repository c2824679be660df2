import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { formatDateTime, isDateTime, justAfter, parseDateTime } from "../../src/domain/Time.ts"

const at = (iso: string) => Date.parse(iso) / 1000

describe("date-times", () => {
  it("are written in UTC without offset, with milliseconds only if there are any", () => {
    expect(formatDateTime(at("2026-02-13T09:30:00Z"))).toBe("2026-02-13T09:30:00")
    expect(formatDateTime(at("2026-02-13T09:30:00.250Z"))).toBe("2026-02-13T09:30:00.250")
    expect(formatDateTime(at("2026-02-13T09:30:00Z") + 0.9996)).toBe("2026-02-13T09:30:00.999")
    expect(formatDateTime(0)).toBe("1970-01-01T00:00:00")
    expect(formatDateTime(-0.001)).toBe("1969-12-31T23:59:59.999")
  })

  it("come back as they were written, to the millisecond, in all years of four digits", () => {
    const milliseconds = FastCheck.integer({
      min: Date.parse("0000-01-01T00:00:00Z"),
      max: Date.parse("9999-12-31T23:59:59.999Z")
    })
    FastCheck.assert(
      FastCheck.property(milliseconds, (ms) => {
        const text = formatDateTime(ms / 1000)
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?$/)
        expect(parseDateTime(text)).toBe(ms / 1000)
        expect(isDateTime(ms / 1000)).toBe(true)
      })
    )
  })

  it("never round up, except for the error of the double itself", () => {
    const seconds = FastCheck.double({ min: 0, max: at("2100-01-01T00:00:00Z"), noNaN: true })
    FastCheck.assert(
      FastCheck.property(seconds, (time) => {
        const written = parseDateTime(formatDateTime(time))!
        expect(written).toBeLessThanOrEqual(time + 4e-6)
        expect(written).toBeGreaterThan(time - 0.001001)
      })
    )
  })

  it.each([
    ["2026-02-13T09:30:00", "2026-02-13T09:30:00Z"],
    ["2026-02-13T09:30:00Z", "2026-02-13T09:30:00Z"],
    ["2026-02-13t09:30:00z", "2026-02-13T09:30:00Z"],
    ["2026-02-13 09:30:00", "2026-02-13T09:30:00Z"],
    ["  2026-02-13T09:30  ", "2026-02-13T09:30:00Z"],
    ["2026-02-13T09:30:00.5", "2026-02-13T09:30:00.500Z"],
    ["2026-02-13T09:30:00+02:00", "2026-02-13T07:30:00Z"],
    ["2026-02-13T09:30:00-0530", "2026-02-13T15:00:00Z"],
    ["2026-02-13T09:30:00+02", "2026-02-13T07:30:00Z"],
    ["2026-02-13T23:30:00-01:00", "2026-02-14T00:30:00Z"],
    ["2026-02-13T09:30:00-00:00", "2026-02-13T09:30:00Z"],
    ["2024-02-29T00:00:00", "2024-02-29T00:00:00Z"],
    ["2026-02-13T24:00:00", "2026-02-14T00:00:00Z"]
  ])("include %s", (text, iso) => {
    expect(parseDateTime(text)).toBe(at(iso))
  })

  it("keep microseconds, as a timestamp of the same digits", () => {
    expect(parseDateTime("2026-02-13T09:30:00.123456Z")).toBe(1_770_975_000.123456)
    expect(parseDateTime("2026-02-13T11:30:00.1234567+02:00")).toBe(1_770_975_000.1234567)
    expect(parseDateTime("1969-12-31T23:59:59.75")).toBe(-0.25)
  })

  it.each([
    "",
    "yesterday",
    "2026-02-13T09:30.5",
    "2026-02-13T24:00:00.5",
    "2026-02-13",
    "09:30:00",
    "2026-02-30T00:00:00",
    "2026-02-29T00:00:00",
    "2026-13-01T00:00:00",
    "2026-00-10T00:00:00",
    "2026-01-00T00:00:00",
    "2026-02-13T25:00:00",
    "2026-02-13T09:60:00",
    "2016-12-31T23:59:60",
    "2026-02-13T09:30:00+25:00",
    "2026-02-13T09:30:00+2",
    "2026-02-13T09:30:00.",
    "2026-2-13T09:30:00",
    "+012026-02-13T09:30:00",
    "2026-02-13T09:30:00Z; DROP TABLE",
    "1771000000",
    "0000-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00"
  ])("do not include %j", (text) => {
    expect(parseDateTime(text)).toBeUndefined()
  })

  it("do not exist for times outside the years of four digits, nor for NaN", () => {
    for (const seconds of [1e300, -1e300, Number.NaN, Infinity, -Infinity, 253_402_300_800]) {
      expect(isDateTime(seconds)).toBe(false)
    }
  })

  it("do not make the parser throw, in any form that users write", () => {
    const piece = FastCheck.constantFrom("2026", "-02-", "30", "T", "09:", "30", ":00", ".1", "Z", "+", "x")
    const text = FastCheck.oneof(
      FastCheck.string(),
      FastCheck.array(piece).map((pieces) => pieces.join(""))
    )
    FastCheck.assert(
      FastCheck.property(text, (text) => {
        const seconds = parseDateTime(text)
        expect(seconds === undefined || isDateTime(seconds)).toBe(true)
      })
    )
  })
})

describe("justAfter", () => {
  it("is the next double: greater, and nothing in between", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.double({ noNaN: true, noDefaultInfinity: true }), (time) => {
        const next = justAfter(time)
        expect(next).toBeGreaterThan(time)
        // Half of the way there rounds to one of the two; halving first keeps the sum of large ones finite.
        const middle = time / 2 + next / 2
        const between = Number.isFinite(next) && Math.abs(time) > 1e-300 && middle > time && middle < next
        expect(between).toBe(false)
      })
    )
  })

  it("steps over zero, to infinity and no further", () => {
    expect(justAfter(0)).toBe(Number.MIN_VALUE)
    expect(justAfter(-0)).toBe(Number.MIN_VALUE)
    expect(justAfter(-Number.MIN_VALUE)).toBe(-0)
    expect(justAfter(1)).toBe(1 + Number.EPSILON)
    expect(justAfter(Number.MAX_VALUE)).toBe(Infinity)
    expect(justAfter(Infinity)).toBe(Infinity)
    expect(justAfter(Number.NaN)).toBeNaN()
  })
})

import { describe, expect, it } from "@effect/vitest"
import { FastCheck, JSONSchema, Option, Schema } from "effect"
import { Name } from "../../src/domain/Configuration.ts"
import { connect } from "../../src/operations/simulators.ts"

const request = { host: "127.0.0.1", port: 9100, app_name: "test" }

interface Described {
  readonly $ref?: string
  readonly pattern?: string
}

const described = JSONSchema.make(connect.input) as unknown as {
  readonly $defs: Readonly<Record<string, Described & { readonly properties: Record<string, Described> }>>
}

/** The pattern that clients get, as their validators read it (JSON Schema, 6.4: as ECMA 262 with `u`). */
const patternOf = (field: string) => {
  const { $ref = "", pattern } = described.$defs["ConnectionRequest"]!.properties[field]!
  return new RegExp((pattern ?? described.$defs[$ref.replace("#/$defs/", "")]!.pattern)!, "u")
}

/** Texts around the longest allowed one, with characters that are trimmed or refused at any place. */
const piece = FastCheck.oneof(
  FastCheck.constantFrom(
    " ",
    "\t",
    "\n",
    "\v",
    "\f",
    "\r",
    "\u00a0",
    "\u1680",
    "\u2007",
    "\u2028",
    "\u3000",
    "\ufeff"
  ),
  FastCheck.constantFrom("\0", "\u001b", "\u007f", "\u0085", "\u009f", "\u200b", "\u180e"),
  FastCheck.constantFrom("a", "Z", "9", ".", "_", ":", "-", "%", "/", "é", "語", "😀", "e\u0301"),
  FastCheck.integer({ min: 1, max: 260 }).map((times) => "x".repeat(times)),
  FastCheck.integer({ min: 60, max: 66 }).map((times) => "🏁".repeat(times)),
  FastCheck.string({ unit: "binary", maxLength: 3 })
)
const text = FastCheck.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""))

describe("text that users give", () => {
  it.each(["host", "app_name", "password"])(
    "as %s is taken exactly if it matches the pattern that clients get",
    (field) => {
      const pattern = patternOf(field)
      const decode = Schema.decodeUnknownOption(connect.input)
      let taken = 0
      FastCheck.assert(
        FastCheck.property(text, (text) => {
          const takes = Option.isSome(decode({ ...request, [field]: text }))
          if (takes) taken++
          expect([text, pattern.test(text)]).toEqual([text, takes])
        }),
        { numRuns: 3000 }
      )
      expect(taken).toBeGreaterThan(100)
    }
  )

  it("is trimmed, and counted in characters", () => {
    const decode = Schema.decodeUnknownOption(Name)
    expect(decode("\t Monza\n")).toMatchObject({ value: "Monza" })
    expect(decode("😀".repeat(200))._tag).toBe("Some")
    expect(decode("😀".repeat(201))._tag).toBe("None")
    // Half of a surrogate pair, which no UTF-8 holds, and no pattern can name.
    expect(decode("a\ud83d")._tag).toBe("None")
  })
})

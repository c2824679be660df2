import { expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { crc32c } from "../../../src/store/sqlite/crc32c.ts"

/** RFC 3720, appendix B.4, whose sums are in the order of the wire, and the check value of the CRC catalogue. */
const vectors: ReadonlyArray<readonly [string, Uint8Array, number]> = [
  ["32 bytes of zeroes", new Uint8Array(32), 0x8a9136aa],
  ["32 bytes of ones", new Uint8Array(32).fill(0xff), 0x62a8ab43],
  ["32 bytes of incrementing 00..1f", Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd794e],
  ["32 bytes of decrementing 1f..00", Uint8Array.from({ length: 32 }, (_, i) => 31 - i), 0x113fdb5c],
  ["123456789", new TextEncoder().encode("123456789"), 0xe3069283]
]

for (const [name, bytes, sum] of vectors) it(`sums ${name}`, () => expect(crc32c(bytes)).toBe(sum))

it("crc32c is the same in parts, wherever they begin", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.uint8Array({ maxLength: 60 }), FastCheck.nat(60), (bytes, cut) => {
      expect(crc32c(bytes.subarray(cut), crc32c(bytes.subarray(0, cut)))).toBe(crc32c(bytes))
    })
  )
})

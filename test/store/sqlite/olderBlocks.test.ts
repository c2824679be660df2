/** Blocks as the version before samples had forms of their own wrote them (commit da31803), in base64. */
import { describe, expect, it } from "@effect/vitest"
import { ABSENT, channels, PointBatch } from "../../../src/domain/PointBatch.ts"
import { decodeColumns, encodePacked, encodePackedSamples } from "../../../src/store/sqlite/blockCodec.ts"
import { bitsOf } from "../../contracts/samples.ts"

const packedSamples =
  "BQAIABAAAABHAAAAZQAAAK4AAAAIAQAAEgEAABwBAAA4AQAAegEAAAMBANBnwqqqeUKDBwAAoABQ2AAOXMNBcQ6AM2H9/wcBAQAA" +
  "AAAAaIpAgweAAAIGCgsSAwAEEQwJBQECBgMIBAAAAAAAAAAAgx8AAICqqqrqH/Vw1cOZbwcVPd3tcLPLiW8Hu50MHHLr4BQGiMfY" +
  "AC7AYXHlb3tPI1HzJWmQEX1mJvjbuwDACYM/AACAqqqq6p/MQMEA7GaXA9vlbGe+Hex2IT3dzW4Hu9wMcnHdg9NwggMMJPUwDA7G" +
  "jGkof6TvmdOpTkvwbhuxSMmnFpSn8iRRDJ/2H/s2xljFvXABAADAAAAAAAAAAAAAQAgAAAAAAAAA+H8KBgAAAIMAgIQQAwEBAAAA" +
  "AAAAPkADAYAAlpYDCgYAAACDAIDf9wMJgzcAAICqqqrqn/hwk8PxSIfjUQ43coOTgKmHMMAAE5p5OBgzpqQAVmDEs0HdnzxX4MEk" +
  "k8wB"

const packedPoints =
  "AwoAABAAAABPAAAAbQAAALYAAAAQAQAAGgEAACQBAABcAQAAmAEAALcBAADVAQAAAwEA0GfCqqp5QoMHAACgAFDYAA5cw0FxDoAz" +
  "Yf3/BwEBAAAAAABoikCDB4AAAgYKCxIDAAQRDAkFAQIGAwgEAAAAAAAAAACDHwAAgKqqquof9XDVw5lvBxU93e1ws8uJbwe7nQwc" +
  "cuvgFAaIx9gALsBhceVve08jUfMlaZARfWYm+Nu7AMAJgz8AAICqqqrqn8xAwQDsZpcD2+VsZ74d7HYhPd3Nbge73Axycd2D03CC" +
  "Awwk9TAMDsaMaSh/pO+Z06lOS/BuG7FIyacWlKfyJFEMn/Yf+zbGWMW9cAEAAMAAAAAAAAAAAABACAAAAAAAAAD4fwmDPwAAgKqq" +
  "quofD0c9XfRw0Qufj3q+8kkPFz1d9KhwABe/UnyKS2wAF+Aw8pW/8TAv1mFr0KBhCYM/AACAqqqq6p/kJkc5HG9Ch+NRbnJknRwV" +
  "MPS1HS94vFiswcGYMSUBUKmG8LZGd8/HfFe9GFmNrMYBAwEA0GfCqqp5QoMHAACgAFDYAA5cw0FxDoAzYf3/BwEBAAAAAABoikCD" +
  "B4AAAgYKCxIDAAQRDAkFAQIGAw=="

const ROWS = 16
const awkward = [0, -0, Infinity, -Infinity, 5e-324, Number.NaN]
const columns: Readonly<Record<string, (i: number) => number>> = {
  timestamp: (i) => 1763800000.125 + i / 50,
  decimal: (i) => (845 + ((i * i) % 13)) / 10,
  float: (i) => Math.fround(i / 7),
  double: (i) => i / 7 + i,
  constant: () => 2,
  absent: () => ABSENT,
  holes: (i) => (i % 5 === 2 ? i * 1.5 : ABSENT),
  awkward: (i) => awkward[i % 6]!
}
const layout = Object.keys(columns)

const batchOf = <Name extends string>(names: ReadonlyArray<Name>) => {
  const batch = PointBatch.allocate(ROWS, names)
  for (const [c, column] of names.map((_, c) => columns[layout[c % layout.length]!]!).entries())
    for (let i = 0; i < ROWS; i++) batch.data[c * ROWS + i] = column(i)
  return batch
}

const blobOf = (text: string) => new Uint8Array(Buffer.from(text, "base64"))

const formsOf = (blob: Uint8Array) => {
  const view = new DataView(blob.buffer, blob.byteOffset)
  const starts = [48, ...channels.slice(1).map((_, c) => view.getUint32(8 + 4 * c, true))]
  return [blob[0], ...starts.map((start) => blob[start])]
}

describe("an older version's packed block", () => {
  it("of samples is read as ever", () => {
    const batch = batchOf(layout)
    const older = blobOf(packedSamples)
    expect(bitsOf(decodeColumns(older, layout, layout)).equals(bitsOf(batch))).toBe(true)
    const now = decodeColumns(encodePackedSamples(batch), layout, layout)
    expect(bitsOf(now).equals(bitsOf(batch))).toBe(true)
  })

  it("of points is read as ever, and written as ever, since older versions read it", () => {
    const batch = batchOf(channels)
    const older = blobOf(packedPoints)
    expect(bitsOf(decodeColumns(older, channels, channels)).equals(bitsOf(batch))).toBe(true)
    // Column by column in the same forms; the bytes may be compressed otherwise.
    const now = encodePacked(batch, "thorough")
    expect(formsOf(now)).toEqual(formsOf(older))
    expect(bitsOf(decodeColumns(now, channels, channels)).equals(bitsOf(batch))).toBe(true)
  })
})

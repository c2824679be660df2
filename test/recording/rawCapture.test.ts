/** The files of raw datagrams, without a game. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { capturedInLines } from "../../src/imports/readers/captures/hexLines.ts"
import { withFile } from "../../src/imports/sourceFile.ts"
import { RawCapture } from "../../src/recording/raw/RawCapture.ts"

const folder = mkdtempSync(join(tmpdir(), "raw-"))
afterAll(() => rmSync(folder, { recursive: true }))

const START = 1_770_000_000

/** A capture whose clock and session the test sets. */
const captureOf = (name: string, fileOf = (id: number) => join(folder, name, `${id}.ndjson.gz`)) => {
  const state = { now: START, session: null as number | null, failures: [] as Array<unknown> }
  const capture = new RawCapture({
    sessionId: () => state.session,
    fileOf,
    now: () => state.now,
    failed: (id, cause) => state.failures.push([id, (cause as { readonly code?: string }).code ?? cause])
  })
  /** A datagram of one byte. */
  const keep = (at: number, value: number) => {
    state.now = START + at
    capture.keep(Buffer.from([value]))
  }
  const linesOf = (id: number) =>
    gunzipSync(readFileSync(fileOf(id)))
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown)
  return { state, capture, keep, linesOf, fileOf }
}

describe("raw datagrams", () => {
  it("are kept for each session, with those of the two seconds before it was known", async () => {
    const { fileOf, keep, linesOf, state, capture } = captureOf("sessions")
    keep(0, 1)
    keep(3, 2)
    expect(existsSync(fileOf(7))).toBe(false)
    state.session = 7
    keep(4.5, 3)
    keep(9.25, 4)
    state.session = 8
    keep(10, 5)
    await capture.end()
    // The first session's file is closed beside it.
    await expect
      .poll(() => linesOf(7))
      .toEqual([
        { start: START + 3, t: 0, hex: "02" },
        { t: 1.5, hex: "03" },
        { t: 6.25, hex: "04" }
      ])
    expect(linesOf(8)).toEqual([
      { start: START + 9.25, t: 0, hex: "04" },
      { t: 0.75, hex: "05" }
    ])
    expect(state.failures).toEqual([])
  })

  it("of a session that goes on follow those that are there, with a start of their own", async () => {
    const { keep, linesOf, state, capture } = captureOf("again")
    state.session = 7
    keep(0, 1)
    await capture.end()
    keep(100, 2)
    await capture.end()
    expect(linesOf(7)).toEqual([
      { start: START, t: 0, hex: "01" },
      { start: START + 100, t: 0, hex: "02" }
    ])
  })

  it("of a session that goes on after a kill are read on both sides of the cut", async () => {
    const { capture, fileOf, keep, state } = captureOf("killed")
    state.session = 7
    for (let n = 0; n < 50; n++) keep(n / 10, n)
    await capture.end()
    const whole = readFileSync(fileOf(7))
    // The end of what was packed had not reached the disk.
    writeFileSync(fileOf(7), whole.subarray(0, whole.length - 30))
    keep(100, 200)
    keep(101, 201)
    await capture.end()
    const found: Array<number> = []
    for await (const { datagrams } of withFile({ path: fileOf(7), name: "7" }, capturedInLines)) {
      for (const { bytes, time } of datagrams) {
        const value = bytes[0]!
        expect(time).toBeCloseTo(START + (value < 50 ? value / 10 : value - 100), 3)
        found.push(value)
      }
    }
    expect(found.slice(-2)).toEqual([200, 201])
    expect(found.slice(0, -2)).toEqual(Array.from({ length: found.length - 2 }, (_, n) => n))
    expect(found.length).toBeGreaterThan(10)
  })

  it("are given up for the session if the disk is full, and the capture goes on", async () => {
    const { keep, state, capture } = captureOf("full", (id) =>
      id === 7 ? "/dev/full" : join(folder, `${id}.gz`)
    )
    state.session = 7
    for (let n = 0; n < 200; n++) keep(n / 60, n)
    await capture.end()
    expect(state.failures).toEqual([[7, "ENOSPC"]])
    keep(5, 1)
    state.session = 8
    keep(6, 2)
    await capture.end()
    expect(existsSync(join(folder, "8.gz"))).toBe(true)
  })

  it("are given up for the session once if their file cannot be made", () => {
    const { keep, state } = captureOf("none", () => "/dev/null/raw/7.ndjson.gz")
    state.session = 7
    for (let n = 0; n < 5; n++) keep(n, n)
    expect(state.failures).toEqual([[7, "ENOTDIR"]])
  })

  it("that a stalled disk does not take are lost beyond some megabytes", async () => {
    const { state, capture } = captureOf("stalled")
    state.session = 7
    // Nothing is packed before this turn of the loop ends.
    for (let n = 0; n < 100; n++) capture.keep(Buffer.alloc(65_000, n))
    expect(state.failures).toEqual([[7, "the disk is too slow"]])
    await capture.end()
  })
})

/** Recordings and captures of datagrams that end within a message, or before their session does. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { gunzipSync } from "node:zlib"
import { readFileSync } from "node:fs"
import { needing } from "../support/needing.ts"
import { casesHere, sharedFolder } from "../support/sharedData.ts"
import { points, session, textOf } from "./recordingText.ts"
import { readFile, timesOf } from "./readFile.ts"

const folder = mkdtempSync(join(tmpdir(), "cut-lines-"))
afterAll(() => rmSync(folder, { recursive: true }))

const read = (text: string) => {
  const path = join(folder, "cut.ndjson")
  writeFileSync(path, text)
  return readFile(path)
}

const CUT = "The file ends within its last line: what is before it was read"

describe("a recording", () => {
  const whole = textOf([session, points(0, 50), points(5, 50)])

  it("that is cut within its last message is partial, wherever the cut is", async () => {
    const last = textOf([points(5, 50)]).length
    for (const less of [2, 3, Math.floor(last / 2), last - 1]) {
      const { partial, sessions } = await read(whole.slice(0, whole.length - less))
      expect([less, partial, timesOf(sessions[0]!, "speed").length]).toEqual([less, CUT, 50])
    }
  })

  it("is whole with or without its last line's end", async () => {
    for (const text of [whole, whole.slice(0, -1)]) {
      const { partial, sessions } = await read(text)
      expect([partial, timesOf(sessions[0]!, "speed").length]).toEqual([undefined, 100])
    }
  })

  it("that the service exported is partial without the end of its session", async () => {
    const exported = { ...session, laps_complete: true }
    const text = textOf([exported, points(0, 50)])
    expect((await read(text)).partial).toBe("The recording ends before its session does")
    expect((await read(text + textOf([{ type: "session_end" }]))).partial).toBeUndefined()
  })
})

describe("a capture of datagrams", needing(casesHere), () => {
  it("that is cut within its last line is partial", async () => {
    const packed = readFileSync(join(sharedFolder("data/cases"), "f1-final-lap-20hz.ndjson.gz"))
    const text = gunzipSync(packed).toString().trimEnd()
    expect((await read(text)).partial).toBeUndefined()
    const cut = await read(text.slice(0, -9))
    expect(cut.partial).toBe(CUT)
    expect(cut.warnings.join()).not.toContain("unreadable")
  })
})

/** Damaged files: a reader reads them, in whole or in part, or refuses them with a reason. Nothing else happens. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { UnreadableFile } from "../../src/imports/FileReader.ts"
import { uniform } from "../../simulator/model/random.ts"
import { needing } from "../support/needing.ts"
import { formatsHere, sharedFolder } from "../support/sharedData.ts"
import { readFile, type ReadFile } from "./readFile.ts"

const SEED = 20_261_130
const HEAD_BYTES = 2048

const folder = mkdtempSync(join(tmpdir(), "damaged-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** The ways in which a file is damaged, each at a place of chance. */
const damages: Readonly<Record<string, (bytes: Buffer, random: () => number) => Buffer>> = {
  "cut off": (bytes, random) => bytes.subarray(0, Math.floor(random() * bytes.length)),
  "one byte": (bytes, random) => {
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
    return bytes
  },
  "20 bytes of its head": (bytes, random) => {
    for (let n = 0; n < 20; n++) bytes[Math.floor(random() * HEAD_BYTES)] = Math.floor(random() * 256)
    return bytes
  },
  "20 bytes anywhere": (bytes, random) => {
    for (let n = 0; n < 20; n++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
    return bytes
  }
}

/** Tables of text are read more slowly than binary files. */
const files: Readonly<Record<string, number>> = {
  "iracing-pits.ibt": 100,
  "motec-nan.ld": 100,
  "racechrono-along.vbo": 25,
  "racechrono-v3.csv": 25
}

describe("a damaged file", needing(formatsHere), () => {
  it.each(Object.keys(files).flatMap((name) => Object.keys(damages).map((kind) => [name, kind] as const)))(
    "%s, %s, is read or refused",
    async (name, kind) => {
      const whole = readFileSync(join(sharedFolder("data/formats"), name))
      const path = join(folder, name)
      let drawn = 0
      const random = () => uniform(SEED, name.length, kind.length, drawn++)
      let refused = 0
      for (let n = 0; n < files[name]!; n++) {
        writeFileSync(path, damages[kind]!(Buffer.from(whole), random))
        const read = await readFile(path).catch((error: unknown) => error)
        const isRead = "sessions" in (read as object)
        if (!isRead) refused++
        const { partial, sessions } = (isRead ? read : { partial: undefined, sessions: [] }) as ReadFile
        expect(read instanceof UnreadableFile || sessions.length > 0 || partial !== undefined).toBe(true)
      }
      // Otherwise this test would not have read a damaged file.
      expect(refused).toBeLessThan(files[name]!)
    }
  )
})

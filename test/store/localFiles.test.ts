/** Checks of the files that a process has open in the data folder. */
import { pbkdf2 } from "node:crypto"
import { promisify } from "node:util"
import { execFileSync } from "node:child_process"
import { renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { folderOnPath } from "../../tools/provision/onPath.ts"
import * as LocalFiles from "../../src/store/LocalFiles.ts"
import { type Need, needing } from "../support/needing.ts"
import { temporaryFolder } from "./sqlite/folder.ts"

const HOLDS = "1 second"

const watched = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const file = join(folder, "telemetry.sqlite")
  writeFileSync(file, "points")
  writeFileSync(`${file}-wal`, "newer points")
  const { check } = LocalFiles.watch(folder, [file, join(folder, "spool.sqlite")])
  const checked = Effect.zipRight(
    TestClock.adjust(HOLDS),
    Effect.match(check, { onFailure: ({ reason }) => reason, onSuccess: () => "well" })
  )
  expect(yield* checked).toBe("well")
  return { file, folder, checked }
})

it.scoped("the check reports a file that was moved away, until it is back", () =>
  Effect.gen(function* () {
    const { file, checked } = yield* watched
    renameSync(file, `${file}.old`)
    expect(yield* checked).toContain(`${file} was deleted or moved while the service has it open`)
    writeFileSync(file, "points")
    expect(yield* checked).toContain(`${file} was replaced while the service has it open`)
    renameSync(`${file}.old`, file)
    expect(yield* checked).toBe("well")
  })
)

it.scoped("the check reports a deleted file", () =>
  Effect.gen(function* () {
    const { file, checked } = yield* watched
    rmSync(file)
    expect(yield* checked).toBe(
      `${file} was deleted or moved while the service has it open: what is stored now is lost when it ends. ` +
        "Move the file back, or, where that cannot be, export what you need before you stop the service"
    )
  })
)

it.scoped("the check reports a file's deleted log as well, since it alone has the newest data", () =>
  Effect.gen(function* () {
    const { file, checked } = yield* watched
    rmSync(`${file}-wal`)
    expect(yield* checked).toBe(
      `${file}-wal was deleted or moved while the service has it open: what was stored last is in its log alone, ` +
        "and is lost if it is killed. Move the log back, or stop the service in the ordinary way: " +
        `it writes the log into ${file} as it ends`
    )
  })
)

it.scoped("the check runs though all of Node's threads are busy", () =>
  Effect.gen(function* () {
    const { checked } = yield* watched
    let ended = 0
    // More than there are threads, each for longer than the check takes.
    const busy = Array.from({ length: 32 }, () =>
      promisify(pbkdf2)("password", "salt", 200_000, 64, "sha512").then(() => void ended++)
    )
    expect(yield* checked).toBe("well")
    expect(ended).toBe(0)
    yield* Effect.promise(() => Promise.all(busy))
  })
)

it.scoped("the check reports a folder in which no file can be created", () =>
  Effect.gen(function* () {
    const folder = join(yield* temporaryFolder, "data")
    const { check } = LocalFiles.watch(folder, [])
    expect((yield* Effect.flip(check)).reason).toContain(`Nothing can be written to ${folder}`)
  })
)

it.scoped("the size is that of the files and their logs", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const [file, spool] = [join(folder, "telemetry.sqlite"), join(folder, "spool.sqlite")]
    const { space } = LocalFiles.watch(folder, [file, spool])
    expect((yield* space).bytes).toBe(0)
    writeFileSync(file, "0123456789")
    writeFileSync(`${file}-wal`, "012")
    writeFileSync(join(folder, "other"), "0123456789")
    expect((yield* space).bytes).toBe(13)
  })
)

const dfHere: Need = { missing: folderOnPath("df") === undefined ? "there is no df" : undefined }

describe("the free space of their disk", needing(dfHere), () => {
  it.scoped("is that of df", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { space } = LocalFiles.watch(folder, [join(folder, "telemetry.sqlite")])
      const { free } = yield* space
      // df counts in blocks of 1024 bytes; others write meanwhile.
      const [, line = ""] = execFileSync("df", ["-Pk", folder], { encoding: "utf8" }).split("\n")
      const available = Number(line.split(/ +/)[3]) * 1024
      expect(Math.abs(free! - available)).toBeLessThan(0.05 * available + 1e8)
    })
  )
})

/** `npm run package -- --platform win32-x64`, which any machine makes: used as players use it, under Wine. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { connectEmulator } from "../support/emulated.ts"
import * as Box from "../support/processes.ts"
import { emulatorNamed } from "../../simulator/emulators/index.ts"
import { needing } from "../support/needing.ts"
import { processWith, runIn, startIn, windows, wineHere } from "./wine.ts"

const RECORDED = 500

describe("the package for Windows", needing(wineHere), () => {
  it.scopedLive("starts, shows itself, records F1 by UDP, and keeps it when it is killed", () =>
    Effect.gen(function* () {
      const made = yield* Box.runProgram(
        "npm",
        ["run", "--silent", "package", "--", "--platform", "win32-x64"],
        {
          cwd: Box.root
        }
      )
      expect(made).toMatchObject({ code: 0 })
      const zip = made.output.slice(0, made.output.lastIndexOf(".zip ") + 4)
      const system = yield* windows
      // Unpacked from the archive, in a folder with a space in its name.
      const unpacked = join(system.folder, "my games")
      expect(yield* Box.runProgram("unzip", ["-q", zip, "-d", unpacked])).toMatchObject({ code: 0 })
      const command = `Z:${join(unpacked, basename(zip, ".zip"), "telemetry.cmd").replaceAll("/", "\\")}`
      // Wine opens a page by the machine's own program.
      const opened = join(system.folder, "opened")
      const opener = join(system.bin, "xdg-open")
      writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" >"${opened}.part"\nmv "${opened}.part" "${opened}"\n`)
      chmodSync(opener, 0o755)

      // Started without arguments, as Explorer does.
      const start = Effect.gen(function* () {
        const begun = yield* startIn(system, [command], { TELEMETRY_PORT: "0" })
        const output = yield* Box.until(Effect.sync(begun.output), (printed) => printed.includes("\n"))
        const address = /listening on (\S+)/.exec(output)![1]!
        return { ...begun, address, signal: () => begun.ended } satisfies Box.Running & typeof begun
      })
      const service = yield* start
      yield* Box.until(
        Effect.sync(() => existsSync(opened)),
        (there) => there
      )
      expect(readFileSync(opened, "utf8")).toBe(`${service.address}/`)
      const page = yield* Effect.promise(() => fetch(service.address))
      expect(yield* Effect.promise(() => page.text())).toContain("<script")
      expect(existsSync(join(system.localAppData, "telemetry/telemetry.sqlite"))).toBe(true)

      const kept = yield* Effect.scoped(
        Effect.gen(function* () {
          yield* connectEmulator(service, emulatorNamed("f1-2025")!)
          return yield* Box.until(Box.connectionOf(service), (link) => (link?.points_stored ?? 0) > RECORDED)
        })
      )
      expect(kept).toMatchObject({ points_rejected: 0 })
      const second = yield* runIn(system, command, "--port", "0")
      expect(second).toMatchObject({ code: 1, errors: expect.stringContaining("is in use by process") })

      process.kill(processWith(command.slice(0, -"telemetry.cmd".length)), "SIGKILL")
      // Windows' own command line has noticed the end: everything that the process held is free.
      yield* service.ended
      const verified = yield* runIn(system, command, "verify")
      expect(verified).toMatchObject({ code: 0, output: expect.stringContaining("nothing is damaged") })
      const again = yield* start
      const { total_points } = yield* Box.get<{ readonly total_points: number }>(
        again,
        `/telemetry/range?session_id=${kept!.session_id}`
      )
      expect(total_points).toBeGreaterThanOrEqual(kept!.points_stored)

      const key = ["reg", "query", "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run"]
      expect(yield* runIn(system, command, "autostart", "on")).toMatchObject({ code: 0 })
      expect((yield* runIn(system, ...key)).output).toContain(`cmd /c start "" /min "${command}"`)
      expect(yield* runIn(system, command, "autostart", "off")).toMatchObject({ code: 0 })
      expect((yield* runIn(system, ...key)).output).not.toContain("telemetry.cmd")
    })
  )
})

/**
 * `telemetry autostart on|off`: whether Windows starts the service when this user logs on. The user's own Run key needs no
 * administrator. A Windows service would need one, and its session could not see the shared memory of the player's games.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { Console, Data, Effect } from "effect"
import { BadUsage, readCommandLine } from "../../platform/commandLine.ts"
import { FAILED, quit, UNUSABLE } from "../../platform/exit.ts"

const USAGE = `telemetry autostart on|off: turns the start of the service at log-on to Windows on or off

The service starts in a minimized window and without flags. Set its settings in the environment.`

const KEY = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run"
const NAME = "Telemetry"

class Refused extends Data.TaggedError("Refused")<{ readonly why: string }> {}

const reg = (...words: ReadonlyArray<string>) =>
  Effect.async<void, Refused>((resume) => {
    const child = execFile("reg.exe", words, (error, _, errors) =>
      resume(
        error === null
          ? Effect.void
          : Effect.fail(new Refused({ why: String(errors).trim() || error.message.trim() }))
      )
    )
    return Effect.sync(() => child.kill())
  })

const on = Effect.fnUntraced(function* () {
  const command = join(dirname(process.execPath), "telemetry.cmd")
  if (!existsSync(command)) {
    return yield* quit(UNUSABLE, `There is no ${command}: only the package for Windows can start at log-on`)
  }
  yield* reg("add", KEY, "/v", NAME, "/t", "REG_SZ", "/d", `cmd /c start "" /min "${command}"`, "/f")
  yield* Console.log(`${command} starts at each log-on`)
})

const off = Effect.fnUntraced(function* () {
  const isOn = yield* Effect.isSuccess(reg("query", KEY, "/v", NAME))
  if (isOn) yield* reg("delete", KEY, "/v", NAME, "/f")
  yield* Console.log("The service does not start at log-on")
})

/** The program, from the arguments after `autostart`. */
export const autostart = (argv: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const [wanted, ...others] = argv
    const isNamed = wanted === "on" || wanted === "off"
    yield* readCommandLine(USAGE, {}, isNamed ? others : argv, process.env)
    if (!isNamed) return yield* new BadUsage({ sentence: "On or off? telemetry autostart on|off" })
    if (process.platform !== "win32") {
      return yield* quit(
        UNUSABLE,
        "telemetry autostart is for Windows; docs/operations.md has a unit for systemd and an agent for launchd"
      )
    }
    yield* wanted === "on" ? on() : off()
  }).pipe(Effect.catchTag("Refused", ({ why }) => quit(FAILED, `Windows refused the change: ${why}`)))

/** Programs for Windows on this machine, by Wine: their environment, their start, and their process on Linux. */
import { spawn, spawnSync } from "node:child_process"
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { join } from "node:path"
import { Effect } from "effect"
import { endWithThis } from "../../tools/provision/endWithThis.ts"
import * as Box from "../support/processes.ts"
import type { Need } from "../support/needing.ts"

const isHere =
  process.platform === "linux" &&
  process.arch === "x64" &&
  spawnSync("wine", ["--version"]).status === 0 &&
  spawnSync("unzip", ["-v"]).status === 0

export const wineHere: Need = {
  missing: isHere
    ? undefined
    : "there is no Wine for x64, or no unzip (Debian's packages wine, wine64 and unzip)"
}

/**
 * V8 reserves addresses by placeholders where kernelbase.dll exports three functions, which Wine 8 does without placeholders: Node from 24 on
 * ends at once. One of the three has another name in this copy, so V8 does as on an older Windows. Wine takes a file with its own mark for
 * one that it brought, and would load that instead.
 */
const patchForV8 = (file: string): void => {
  const bytes = readFileSync(file)
  const name = bytes.indexOf("\0MapViewOfFile3\0", "latin1")
  const mark = bytes.indexOf("Wine builtin DLL", "latin1")
  if (name === -1 || mark === -1) throw new Error(`${file} is not that of Wine 8`)
  bytes.write("\0MapViewOfFile4\0", name, "latin1")
  bytes.fill(0, mark, mark + "Wine builtin DLL".length)
  // Running programs keep the original file.
  rmSync(file)
  writeFileSync(file, bytes)
}

/** Disables the downloads that Wine offers at its first start, and its entries in this machine's menus. */
const NOT_NEEDED = "mscoree,mshtml,winemenubuilder.exe="

/** A separate Windows, until the scope ends. Its programs end with this process, however that ends. */
export const windows = Effect.gen(function* () {
  const folder = yield* Box.folder
  const prefix = join(folder, "windows")
  const bin = join(folder, "bin")
  const base = {
    ...process.env,
    PATH: `${bin}:${process.env["PATH"]}`,
    HOME: folder,
    WINEPREFIX: prefix,
    WINEDEBUG: "-all",
    WINEDLLOVERRIDES: NOT_NEEDED
  }
  const env = { ...base, WINEDLLOVERRIDES: `kernelbase=n;${NOT_NEEDED}`, NODE_SKIP_PLATFORM_CHECK: "1" }
  mkdirSync(bin)
  mkdirSync(prefix)
  yield* Effect.acquireRelease(
    // Its pipe closes when this process is gone. Wine's programs are no children of ours, and live on if only Wine's server is killed.
    Effect.sync(() =>
      spawn("sh", ["-c", "cat; wineserver --kill"], {
        env: base,
        stdio: ["pipe", "ignore", "ignore"],
        detached: true
      })
    ),
    (guard) =>
      Effect.promise(async () => {
        const ended = once(guard, "exit")
        guard.stdin.end()
        await ended
      })
  )
  // Windows 7, as Wine 8 has it by itself: as Windows 10, Node asks for an option of sockets that it lacks.
  yield* Effect.promise(async () => {
    // Its services go on, and would keep a pipe open.
    const boot = endWithThis(spawn("wineboot", ["--init"], { env: base, stdio: "ignore" }))
    await once(boot, "exit")
  })
  patchForV8(join(prefix, "drive_c/windows/system32/kernelbase.dll"))
  const user = readdirSync(join(prefix, "drive_c/users")).find((name) => name !== "Public")!
  return { folder, bin, env, localAppData: join(prefix, "drive_c/users", user, "AppData/Local") }
})

type Windows = Effect.Effect.Success<typeof windows>

let started = 0

/** Starts a command of Windows' own command line; its output goes to files, because a pipe as standard output fails Node under Wine. */
export const startIn = (
  { env, folder }: Windows,
  words: ReadonlyArray<string>,
  more: NodeJS.ProcessEnv = {}
) =>
  Effect.sync(() => {
    const file = (name: string) => join(folder, `${name}-${started}.txt`)
    started += 1
    const names = { output: file("output"), errors: file("errors") }
    const [output, errors] = [openSync(names.output, "w"), openSync(names.errors, "w")]
    const child = endWithThis(
      spawn("wine", ["cmd", "/c", ...words], { env: { ...env, ...more }, stdio: ["ignore", output, errors] })
    )
    closeSync(output)
    closeSync(errors)
    const ended = new Promise<number | null>((done) => child.once("exit", done))
    return {
      child,
      output: () => readFileSync(names.output, "utf8"),
      errors: () => readFileSync(names.errors, "utf8"),
      ended: Effect.promise(() => ended)
    }
  })

/** Runs it to its end. */
export const runIn = (windows: Windows, ...words: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { ended, errors, output } = yield* startIn(windows, words)
    return { code: yield* ended, output: output(), errors: errors() }
  })

/** The process of a Windows program that was started with these words: Wine does not start it as our child. */
export const processWith = (word: string): number => {
  const found = readdirSync("/proc").filter((id) => {
    if (!/^\d+$/.test(id)) return false
    try {
      const words = readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0")
      return words[0]!.endsWith("node.exe") && words.some((one) => one.includes(word))
    } catch {
      // The process has ended meanwhile.
      return false
    }
  })
  if (found.length !== 1) throw new Error(`${found.length} processes have ${word}`)
  return Number(found[0])
}

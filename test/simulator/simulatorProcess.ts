/** The built simulator in a process of its own. */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

const entry = fileURLToPath(new URL("../../dist/program/simulator/main.js", import.meta.url))

interface Ended {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

export const start = (...flags: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [entry, "--log-format", "pretty", ...flags])
  let out = ""
  let err = ""
  child.stderr.on("data", (text) => (err += String(text)))
  const ready = new Promise<string>((resolve) =>
    child.stdout.on("data", (text) => {
      out += String(text)
      if (out.includes("\n")) resolve(out.split("\n")[0]!)
    })
  )
  const ended = new Promise<Ended>((resolve) =>
    child.once("close", (status) => resolve({ status, out, err }))
  )
  return { child, ready, ended }
}

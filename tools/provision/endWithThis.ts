/**
 * Ends our child processes with this one, however it ends: also if it is killed, or interrupted before it closed its scopes.
 *
 * A small process of its own holds the list of them. It reads from a pipe that closes when this process is gone, and then
 * kills what is still on the list.
 */
import { type ChildProcess, spawn } from "node:child_process"
import type { Writable } from "node:stream"

/** Plain text: it runs without any file of ours. Lines are `+ID` for a started process, and `-ID` for one that ended. */
const WATCH = `
const ids = new Set()
require("node:readline").createInterface({ input: process.stdin })
  .on("line", (line) => ids[line[0] === "+" ? "add" : "delete"](Number(line.slice(1))))
  .on("close", () => {
    for (const id of ids) try { process.kill(id, "SIGKILL") } catch {}
  })
`

let list: Writable | undefined

const watched = (): Writable => {
  if (list !== undefined) return list
  const watching = spawn(process.execPath, ["-e", WATCH], {
    stdio: ["pipe", "ignore", "ignore"],
    // A session of its own, so that an interrupt of this process, or of its whole group, does not end it first.
    detached: true,
    windowsHide: true
  })
  const { stdin } = watching
  // If it cannot start, a child outlives this process only if this process is killed.
  watching.on("error", () => undefined)
  stdin.on("error", () => undefined)
  watching.unref()
  // It does not keep this process alive.
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref()
  list = stdin
  return stdin
}

/** The given process; it is killed when this one has ended. */
export const endWithThis = <Child extends ChildProcess>(child: Child): Child => {
  const { pid } = child
  if (pid === undefined) return child
  watched().write(`+${pid}\n`)
  // From then on its id may belong to another process.
  child.once("exit", () => watched().write(`-${pid}\n`))
  return child
}

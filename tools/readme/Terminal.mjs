/** A program that somebody started in a terminal of its own, and ends with Ctrl+C. */
import { spawn } from "node:child_process"

/** Far above what it takes to install, build, and drive two laps. */
const WAIT_WITHIN_MS = 30 * 60_000

export class Terminal {
  #child
  #output = ""
  #printed = ""
  /** @type {Set<() => void>} */
  #listeners = new Set()
  /** @type {{ status: number | null, signal: NodeJS.Signals | null } | undefined} */
  #ended

  /**
   * @param {string} line What is typed.
   * @param {string} cwd
   * @param {NodeJS.ProcessEnv} env
   */
  constructor(line, cwd, env) {
    this.line = line
    this.#child = spawn("bash", ["--noprofile", "--norc", "-c", line], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true
    })
    this.#child.stdout.on("data", (data) => {
      this.#printed += String(data)
      this.#output += String(data)
      this.#tell()
    })
    this.#child.stderr.on("data", (data) => {
      this.#output += String(data)
      this.#tell()
    })
    const end = () => void process.kill(-(/** @type {number} */ (this.#child.pid)), "SIGTERM")
    process.once("exit", end)
    this.#child.once("close", (status, signal) => {
      process.off("exit", end)
      this.#ended = { status, signal }
      this.#tell()
    })
  }

  #tell() {
    for (const listener of this.#listeners) listener()
  }

  /** What it wrote, with its errors. */
  get output() {
    return this.#output
  }

  /** What it wrote to standard output. */
  get printed() {
    return this.#printed
  }

  /**
   * @template A
   * @param {() => A | undefined} look
   * @param {string} what
   * @returns {Promise<A>}
   */
  #wait(look, what) {
    return new Promise((done, failed) => {
      /** @param {() => void} settle */
      const settled = (settle) => {
        this.#listeners.delete(again)
        clearTimeout(late)
        settle()
      }
      const again = () => {
        const found = look()
        if (found !== undefined) settled(() => done(found))
        else if (this.#ended !== undefined) {
          settled(() => failed(new Error(`${this.line}: ended before ${what}\n${this.#output}`)))
        }
      }
      const late = setTimeout(
        () => settled(() => failed(new Error(`${this.line}: no ${what}\n${this.#output}`))),
        WAIT_WITHIN_MS
      )
      this.#listeners.add(again)
      again()
    })
  }

  /**
   * Until it has written something.
   * @param {RegExp} pattern
   */
  shows(pattern) {
    return this.#wait(() => pattern.exec(this.#output) ?? undefined, String(pattern))
  }

  /**
   * Ctrl+C: the signal goes to the whole group. What it ended with, once it has.
   */
  async interrupt() {
    if (this.#ended === undefined) process.kill(-(/** @type {number} */ (this.#child.pid)), "SIGINT")
    return await this.#wait(() => this.#ended, "end")
  }
}

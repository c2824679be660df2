/** A shell in which somebody types one command after another, with its background jobs and variables. */
import { spawn, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"

/** Far above what any command of README takes. */
const COMMAND_WITHIN_MS = 15 * 60_000

/**
 * Whether the shell would wait for more lines.
 * @param {string} text
 */
const isWhole = (text) => spawnSync("bash", ["-n"], { input: text }).status === 0

/**
 * The commands of a block, each with all its lines.
 * @param {string} code
 */
export const commandsOf = (code) => {
  /** @type {Array<string>} */
  const commands = []
  let open = ""
  for (const line of code.split("\n")) {
    open += open === "" ? line : `\n${line}`
    if (open.trim() === "") open = ""
    else if (isWhole(open)) {
      commands.push(open)
      open = ""
    }
  }
  if (open !== "") throw new Error(`This is not a whole command: ${open}`)
  return commands
}

/**
 * @typedef {object} Ended
 * @property {number} status
 * @property {string} output What it wrote to standard output.
 * @property {string} errors
 */

export class Shell {
  #child
  #output = ""
  #errors = ""
  /** @type {() => void} */
  #changed = () => undefined
  /** @type {Error | undefined} */
  #gone

  /**
   * @param {string} cwd
   * @param {NodeJS.ProcessEnv} env
   */
  constructor(cwd, env) {
    this.#child = spawn("bash", ["--noprofile", "--norc"], {
      cwd,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true
    })
    this.#child.stdout.on("data", (data) => this.#take(() => (this.#output += String(data))))
    this.#child.stderr.on("data", (data) => this.#take(() => (this.#errors += String(data))))
    this.#child.once("exit", (code) =>
      this.#take(() => (this.#gone = new Error(`The shell ended (${code})`)))
    )
    // As in a terminal: each job is a group of its own.
    this.#child.stdin.write("set -m\n")
  }

  /** @param {() => void} change */
  #take(change) {
    change()
    this.#changed()
  }

  /**
   * Types a command, and waits until the shell is ready for the next.
   * @param {string} command
   * @returns {Promise<Ended>}
   */
  async run(command) {
    this.#output = ""
    this.#errors = ""
    const mark = randomUUID()
    this.#child.stdin.write(`${command}\nprintf '\\n%s %s\\n' ${mark} $?\n`)
    const end = new RegExp(`\\n${mark} (\\d+)\\n`)
    const ended = await this.#until(() => end.exec(this.#output), command)
    return { status: Number(ended[1]), output: this.#output.slice(0, ended.index), errors: this.#errors }
  }

  /**
   * @template A
   * @param {() => A | null} look
   * @param {string} what
   * @returns {Promise<A>}
   */
  #until(look, what) {
    return new Promise((done, failed) => {
      const late = setTimeout(
        () => failed(new Error(`No end within ${COMMAND_WITHIN_MS / 60_000} minutes: ${what}`)),
        COMMAND_WITHIN_MS
      )
      this.#changed = () => {
        const found = look()
        if (found === null && this.#gone === undefined) return
        clearTimeout(late)
        if (found === null) failed(this.#gone)
        else done(found)
      }
      this.#changed()
    })
  }

  /** Ends it with all its jobs. */
  async close() {
    if (this.#gone !== undefined) return
    await this.run("for job in $(jobs -p); do kill -- -$job 2>/dev/null; done; wait").catch(() => undefined)
    this.#child.stdin.end("exit\n")
  }
}

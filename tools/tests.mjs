/**
 * Runs a part of the suite: `node tools/tests.mjs --project NAME [FILES]`, which is `vitest run` with these arguments.
 *
 * If TELEMETRY_TEST_UNSTABLE names a folder, as in .ci/run, a file that fails is run once more, alone, at once. If it passes
 * then, the run goes on: the file is added to `list` in that folder, with the output of both runs. If it fails again, the run fails.
 */
import { spawn } from "node:child_process"
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/**
 * @typedef {object} Result The result of a file, as test/support/Results.ts writes it.
 * @property {string} file
 * @property {string} project
 * @property {boolean} held
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/** More files than this do not fail by chance, and running each again would only take time. */
const MAX_AGAIN = 5

const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url))
const given = process.argv.slice(2)
const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])
let interrupted = false

/**
 * Runs Vitest, passes on its output, and keeps it.
 * @param {ReadonlyArray<string>} args
 */
const run = async (args) => {
  const folder = mkdtempSync(join(tmpdir(), "telemetry-results-"))
  const file = join(folder, "results.json")
  const child = spawn(process.execPath, [vitest, "run", ...args], {
    stdio: ["inherit", "pipe", "pipe"],
    env: { ...process.env, TELEMETRY_TEST_RESULTS: file }
  })
  // Vitest ends first, then this process.
  const pass = (/** @type {NodeJS.Signals} */ signal) =>
    ((interrupted = true), child.kill(signal))
  for (const signal of SIGNALS) process.on(signal, pass)
  let output = ""
  child.stdout.on("data", (data) => (process.stdout.write(data), (output += String(data))))
  child.stderr.on("data", (data) => (process.stderr.write(data), (output += String(data))))
  const code = await new Promise((done) => child.once("close", done))
  for (const signal of SIGNALS) process.off(signal, pass)
  /** @type {{ files: Array<Result>, thrownIn: Array<string | null> } | undefined} */
  let results
  try {
    results = JSON.parse(readFileSync(file, "utf8"))
  } catch {
    // It ended before it wrote any results.
  }
  rmSync(folder, { recursive: true, force: true })
  return { status: code ?? 1, output, results }
}

/** @param {Result} result */
const hasEnded = ({ failed, held }) => held || failed > 0

/**
 * The files to run again; none if a failure is outside of files, or in too many.
 * @param {Awaited<ReturnType<typeof run>>} first
 */
const failedIn = ({ results }) => {
  if (results === undefined) return []
  const { files, thrownIn } = results
  const failed = files.filter(({ file, held }) => !held || thrownIn.includes(file))
  // An error outside of files is only explained by a file that did not end.
  if (thrownIn.includes(null) && failed.every(hasEnded)) return []
  if (failed.length > MAX_AGAIN) {
    console.log(`\n${failed.length} files failed, more than ${MAX_AGAIN}: none is run again.`)
    return []
  }
  return failed
}

/** @param {Result} result */
const nameOf = ({ file, project }) => `${relative(process.cwd(), file).replaceAll("\\", "/")} (${project})`

/** @param {string} folder The folder for unstable files. */
const runTwice = async (folder) => {
  const first = await run(given)
  const failed = first.status === 0 || interrupted ? [] : failedIn(first)
  if (failed.length === 0) return first.status
  const files = first.results?.files ?? []
  let status = 0
  for (const result of failed) {
    if (interrupted) return 1
    const name = nameOf(result)
    console.log(`\n== once more, alone: ${name}`)
    const again = await run(["--project", result.project, result.file])
    const [became] = again.results?.files ?? []
    if (became !== undefined) files.splice(files.indexOf(result), 1, became)
    // A file without tests, or an excluded one, shows nothing.
    if (again.status !== 0 || became === undefined || became.passed === 0) {
      status = 1
      continue
    }
    const kept = join(folder, name.replace(/[^\w.]+/g, "-"))
    mkdirSync(kept, { recursive: true })
    writeFileSync(join(kept, "first.txt"), first.output)
    writeFileSync(join(kept, "again.txt"), again.output)
    appendFileSync(join(folder, "list"), `${name}: what both runs printed is in ${kept}\n`)
  }
  // Like Vitest's summary, with each file counted by its last run.
  const sum = (/** @type {"passed" | "failed" | "skipped"} */ kind) =>
    files.reduce((total, result) => total + result[kind], 0)
  console.log(`\n      Tests  ${sum("failed")} failed | ${sum("passed")} passed | ${sum("skipped")} skipped`)
  return status
}

const unstable = process.env["TELEMETRY_TEST_UNSTABLE"]
if (unstable !== undefined) process.exitCode = await runTwice(unstable)
else {
  // Without the variable, Vitest itself runs in this process.
  process.argv = [process.execPath, vitest, "run", ...given]
  await import(pathToFileURL(vitest).href)
}

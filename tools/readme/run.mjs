/**
 * `npm run test:readme`: README.md followed word by word, in a fresh clone with nothing beside it. What is committed is what is
 * tried. Fails where the text fails: a command that does not succeed, an answer that is an error, a block that nobody
 * would know how to run.
 *
 * `npm run test:readme -- --write` puts what examples/client.ts printed into the README of this folder.
 *
 * It wants bash, curl and git, npm's registry, and the ports that README names: 8080, 9100 and 20777.
 */
import { spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import { root } from "../parts.mjs"
import { blocksOf } from "./blocks.mjs"
import { abridged, kindsOf } from "./example.mjs"
import { wrongWith } from "./outputs.mjs"
import { commandsOf, Shell } from "./Shell.mjs"
import { Terminal } from "./Terminal.mjs"

/** Ports that README's commands take, and what takes them. */
const PORTS = { 8080: "the service", 9100: "the second simulator" }

/** Blocks that are not run here, by what they begin with, and why. */
const LEFT_OUT = [
  ["npm ci && npm test", "CI runs the suite itself"],
  ["npm run migrate -- --from ./data --to 'points=questdb://db", "takes servers of that name"],
  [
    "import urllib.request, pyarrow.ipc",
    "npm run test:clients reads Arrow so, with the pyarrow that it installs"
  ],
  ["openapi-python-client generate", "npm run test:clients does, by the version that it installs"],
  ["npm install telemetry-session-service", "npm run test:package installs it, before it is published"]
]

/** How long the snippet of TypeScript listens, ms. */
const LISTENS_MS = 5000

/** What npm set for this script is none of a newcomer's. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$|NODE_ENV$|TELEMETRY_|OTEL_)/.test(name))
)

const began = performance.now()
/** @param {string} text */
const say = (text) =>
  console.log(`[${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s] ${text}`)

/** @type {(what: string) => never} */
const fail = (what) => {
  throw new Error(what)
}

/** @param {number} port @returns {Promise<boolean>} */
const isFree = (port) =>
  new Promise((done) => {
    const server = createServer()
    server.once("error", () => done(false))
    server.listen(port, "127.0.0.1", () => server.close(() => done(true)))
  })

/**
 * Runs a program to its end.
 * @param {string} cwd
 * @param {string} program
 * @param {ReadonlyArray<string>} args
 */
const ran = (cwd, program, ...args) => {
  const { output, status } = spawnSync(program, args, { cwd, env, encoding: "utf8" })
  return status === 0 ? (output?.[1] ?? "") : fail(`${program} ${args.join(" ")}: ${output?.join("")}`)
}

/** A recording of the native feed as anybody may have one. */
const recording = () => {
  const points = Array.from({ length: 600 }, (_, i) => ({
    timestamp: i / 60,
    speed: 100,
    rpm: 5000,
    gear: 3,
    throttle: 0.5,
    brake: 0,
    steering: 0,
    position_x: i,
    position_y: 0,
    position_z: 0
  }))
  const messages = [
    { type: "session", circuit: "Home", vehicle: "Kart", driver: "Me", start_time: 1.7e9 },
    { type: "points", points },
    { type: "session_end" }
  ]
  return gzipSync(messages.map((message) => `${JSON.stringify(message)}\n`).join(""))
}

/** @param {string} folder */
const walk = async (folder) => {
  const readme = readFileSync(join(folder, "README.md"), "utf8")
  const blocks = blocksOf(readme)
  const typed = new Shell(folder, env)
  /** @type {Terminal | undefined} */
  let demo
  let exampleOutput = ""
  const running = () => demo ?? fail("the demo does not run yet")

  /** @param {string} code */
  const type = async (code) => {
    for (const command of commandsOf(code)) {
      const ended = await typed.run(command)
      const wrong = wrongWith(command, ended, folder)
      if (wrong !== undefined) fail(`${command}\n${wrong}`)
      const name = /^(\w+)=/.exec(command)?.[1]
      if (name === undefined) continue
      const { output } = await typed.run(`printf %s "$${name}"`)
      if (!/^(http|\d+$)/.test(output)) fail(`${command}\n${name} is ${JSON.stringify(output)}`)
    }
  }

  /** @param {import("./blocks.mjs").Block} block */
  const follow = async ({ code, heading, language, line, prose }) => {
    const at = `README.md:${line}, ${heading}: ${code.split("\n")[0]}`
    const leftOut = LEFT_OUT.find(([begin]) => code.startsWith(/** @type {string} */ (begin)))
    if (leftOut !== undefined) return say(`left out, ${leftOut[1]}: ${at}`)
    if (language === "powershell") return say(`not run, there is no PowerShell here: ${at}`)
    say(at)
    if (code === "npm ci && npm run demo") {
      demo = new Terminal(code, folder, env)
      await demo.shows(/Live page +http:\/\/127\.0\.0\.1:8080\n/)
    } else if (code.includes("my-recording")) {
      writeFileSync(join(folder, "my-recording.ndjson.gz"), recording())
      // The simulator that was killed just before may still hold it.
      while (!(await isFree(9100))) await sleep(100)
      const replay = new Terminal(code, folder, env)
      await replay.shows(/^feed on ws:\/\/127\.0\.0\.1:9100$/m)
      await replay.interrupt()
    } else if (code.includes('"port": 20777')) {
      // The game that sends to this machine.
      const game = new Terminal("npm run simulator -- --protocol f1-2025", folder, env)
      await game.shows(/^feed on udp:/m)
      await type(code)
      await game.interrupt()
    } else if (language === "ts") {
      const file = join(folder, "examples/snippet.ts")
      writeFileSync(file, code)
      // What those who install the package have already.
      const { errors, status } = await typed.run("npm run --silent build client")
      if (status !== 0) fail(errors)
      const snippet = new Terminal(`npm run --silent node ${JSON.stringify(file)}`, folder, env)
      await sleep(LISTENS_MS)
      await snippet.interrupt()
      // A lap may be completed meanwhile.
      if (/Error/.test(snippet.output) || !/^(\d+ [\d.]+\n)*$/.test(snippet.printed)) fail(snippet.output)
    } else if (language === "" && prose.includes("npm run --silent example")) {
      const { errors, output, status } = await typed.run("npm run --silent example")
      const complaints = errors
        .split("\n")
        .filter((line) => line !== "" && !/^(npm (warn|notice)|\[\d+\])/.test(line))
      if (status !== 0 || complaints.length > 0) fail(`${output}${errors}`)
      exampleOutput = abridged(output)
      const [shown, was] = [kindsOf(code), kindsOf(exampleOutput)]
      const same = [...shown].every((kind) => was.has(kind)) && !shown.has(-1) && !was.has(-1)
      if (!same && !writes) fail(`README shows\n${code}\nit was\n${output}`)
    } else if (language === "sh") {
      if (prose.includes("after two laps")) await running().shows(/^Lap 2 of /m)
      else if (prose.includes("first lap is there")) await running().shows(/^Lap 1 of /m)
      await type(code)
    } else fail("nobody would know how to run this")
  }

  try {
    for (const block of blocks) {
      await follow(block).catch((error) => fail(`README.md:${block.line}: ${error.message}`))
    }
    const { connections } = JSON.parse((await typed.run("curl -s $API/status")).output)
    const native = connections.find((/** @type {{ app_name: string }} */ one) => one.app_name === "demo")
    if (native?.state !== "connected") fail("the walk does not end connected")
    if ((await typed.run("npm start -- --help")).status !== 0) fail("npm start -- --help fails")
    say("Ctrl+C")
    await running().interrupt()
    if (!existsSync(join(folder, "data/telemetry.sqlite")))
      fail("what the demo recorded did not stay in ./data")
    for (const port of Object.keys(PORTS)) {
      if (!(await isFree(Number(port)))) fail(`somebody still listens on ${port}`)
    }
  } finally {
    await demo?.interrupt().catch(() => undefined)
    await typed.close()
  }
  return exampleOutput
}

/**
 * Puts the example's output into the README of this folder.
 * @param {string} output
 */
const write = (output) => {
  const file = join(root, "README.md")
  const text = readFileSync(file, "utf8")
  const block = blocksOf(text).find(
    ({ language, prose }) => language === "" && prose.includes("npm run --silent example")
  )
  if (block === undefined) return fail("README has no output of examples/client.ts")
  writeFileSync(
    file,
    text.replace(`\`\`\`\n${block.code}\n\`\`\``, () => `\`\`\`\n${output}\n\`\`\``)
  )
}

const writes = process.argv.includes("--write")
for (const [port, what] of Object.entries(PORTS)) {
  if (!(await isFree(Number(port)))) {
    console.error(`Port ${port} is in use, where README has ${what}`)
    process.exit(1)
  }
}
// Its terminals are groups of their own, which end with it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1))
const beside = mkdtempSync(join(tmpdir(), "telemetry-readme-"))
const folder = join(beside, "telemetry-session-service")
try {
  ran(root, "git", "clone", "--quiet", "--no-hardlinks", root, folder)
  const changed = ran(root, "git", "status", "--porcelain")
  if (changed !== "") say(`not committed, and so not tried:\n${changed}`)
  if (writes) copyFileSync(join(root, "README.md"), join(folder, "README.md"))
  const output = await walk(folder)
  if (writes) write(output)
  say("README.md holds")
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(beside, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
}

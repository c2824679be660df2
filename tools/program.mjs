/**
 * The program as it is run and published: the service, the simulator and the threads with all that they load, in a few
 * files (`dist/program`). A process that reads a few files starts in a fraction of the time that it takes to read some
 * thousand modules, and whoever installs the package installs none of the libraries that are in it.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import * as modules from "node:module"
import { join } from "node:path"
import { root } from "./parts.mjs"

/** From Node 22.1 on, it keeps compiled code by itself. */
const { enableCompileCache } = /** @type {{ enableCompileCache?: () => unknown }} */ (modules)

export const PROGRAM = "dist/program"

/** The programs, in CommonJS, whose compiled code can be kept on Node 20 (src/compiledCode.ts). */
const programs = { main: "src/main.ts", "simulator/main": "simulator/main.ts" }

/** What users start under these names, and what keeps the code (keepCode.mjs). */
const starters = {
  main: "src/starter.ts",
  "simulator/main": "src/starter.ts",
  compiledCode: "src/compiledCode.ts"
}

/** What is started as a thread, by the name that it is asked for by (src/threads/entry.ts). */
const threads = {
  writerWorker: "src/store/sqlite/writerWorker.ts",
  "workers/computations": "src/archive/workers/computations.ts"
}

/** Libraries in CommonJS ask for Node's modules by `require`, which a module has not. */
const REQUIRE =
  'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);'

/** A module is strict, and knows where it is by `import.meta.url`; in CommonJS both have to be said first. */
const URL_OF_FILE = '"use strict"; const urlOfFile = require("node:url").pathToFileURL(__filename).href;'

/** Native parts that libraries try for, and do without. */
const OPTIONAL = ["pg-native", "bufferutil", "utf-8-validate"]

const EFFECT = /^import \{([^}]*)\} from "effect"$/gm

/** @param {string} imported What stands between the braces, in TypeScript. */
const byModule = (imported) =>
  imported
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => {
      const [module = "", , own = module] = name.split(" ")
      // Modules have capitals; the rest, such as flow, are functions of one.
      return /^[A-Z]/.test(module)
        ? `import * as ${own} from "effect/${module}"`
        : `import { ${name} } from "effect/Function"`
    })
    .join("; ")

/**
 * Has our sources import modules of Effect, instead of its index. That keeps each module whole that any of the programs uses, since it makes
 * an object of it, and has all of them load all of these: half of Effect is left out without it, and the thread that
 * writes points loads 0.6 MB instead of 1.2.
 * @type {import("esbuild").Plugin}
 */
const effectByModule = {
  name: "Effect by module",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes("node_modules")) return undefined
      const contents = readFileSync(path, "utf8").replace(EFFECT, (_, imported) => byModule(imported))
      return { loader: "ts", contents }
    })
  }
}

/** @param {string} file */
const packageOf = (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]

/** What the pages are made of, which stand beside it. */
const OF_PAGES = ["preact", "@preact/signals", "@preact/signals-core", "swagger-ui-dist", "uplot"].map(
  (name) => `node_modules/${name}`
)

/**
 * The licences of what is in it, which want to go with it.
 * @param {ReadonlyArray<string>} folders Of the packages, as seen from the root.
 */
const licences = (folders) =>
  folders
    .map((folder) => {
      const { license, name, version } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
      const files = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file))
      const texts = files.map((file) => readFileSync(join(root, folder, file), "utf8").trim())
      return [`${name} ${version}: ${license}`, ...texts].join("\n\n")
    })
    .join(`\n\n${"-".repeat(80)}\n\n`)

/**
 * Bundles what is started; resolves with what it is made of.
 * @param {import("esbuild").BuildOptions} of
 */
const bundled = async (of) => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  // Loaded when something is to be built.
  const { build, stop } = await import("esbuild")
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    target: "node20.19",
    // What is installed beside it: native modules, and what starts threads of its own files.
    external: [...Object.keys(dependencies), ...OPTIONAL],
    // Names stay: a stack that a user reports is to be read.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
    plugins: [effectByModule],
    ...of,
    metafile: true
  })
  // Its process would go on for as long as what is started afterwards.
  await stop()
  return metafile
}

/** @type {import("esbuild").BuildOptions} */
const asModule = { format: "esm", banner: { js: REQUIRE } }

/** @type {import("esbuild").BuildOptions} */
const asCommonJs = {
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  banner: { js: URL_OF_FILE },
  define: { "import.meta.url": "urlOfFile" }
}

/**
 * The threads' entries among the modules, each in one file, as in the program: tests start hundreds of threads, and each would read
 * some hundred modules.
 */
export const makeThreadModules = () =>
  bundled({
    ...asModule,
    entryPoints: {
      "store/sqlite/writerWorker": threads.writerWorker,
      "archive/workers/computations": threads["workers/computations"]
    },
    outdir: "dist/src"
  })

export const makeProgram = async () => {
  const parts = [
    { ...asModule, entryPoints: starters },
    { ...asCommonJs, entryPoints: programs },
    { ...asModule, entryPoints: threads }
  ]
  const made = []
  // V8 knows a source by its length alone: code of an earlier build must not be found beside a new one.
  for (const name of Object.keys(programs)) rmSync(codeOf(name), { force: true })
  for (const part of parts) made.push(await bundled({ ...part, outdir: PROGRAM }))
  const packages = [...made.flatMap(({ inputs }) => Object.keys(inputs)).map(packageOf), ...OF_PAGES]
  const known = [...new Set(packages)].filter((folder) => folder !== undefined).sort()
  writeFileSync(join(root, PROGRAM, "LICENSES.txt"), `${licences(known)}\n`)
  for (const name of Object.keys(programs)) chmodSync(join(root, PROGRAM, `${name}.js`), 0o755)
  removeOthers(new Set([...made.flatMap(({ outputs }) => Object.keys(outputs)), `${PROGRAM}/LICENSES.txt`]))
  for (const name of Object.keys(programs)) await keepCode(name)
}

/**
 * Where the compiled code of a program is kept (src/compiledCode.ts).
 * @param {string} name
 */
const codeOf = (name) => join(root, PROGRAM, `${name}.cjs.code`)

/** A program on a busy machine is ready in a tenth of it, ms. */
const KEPT_WITHIN_MS = 60_000

/**
 * Keeps what V8 compiles of a program while it starts, where Node does not do that by itself. A program whose code was not kept only
 * starts later.
 * @param {string} name
 * @returns {Promise<void>}
 */
const keepCode = async (name) => {
  if (enableCompileCache !== undefined) return
  const child = spawn(process.execPath, [join(root, "tools/keepCode.mjs"), name], {
    stdio: ["ignore", 2, 2],
    timeout: KEPT_WITHIN_MS
  })
  await once(child, "close")
  if (!existsSync(codeOf(name)))
    console.error(`The compiled code of ${name} was not kept: it will start more slowly.`)
}

/**
 * Files of builds before this one.
 * @param {ReadonlySet<string>} ours As seen from the root.
 */
const removeOthers = (ours) => {
  for (const name of readdirSync(join(root, PROGRAM), { encoding: "utf8", recursive: true })) {
    const file = `${PROGRAM}/${name.replaceAll("\\", "/")}`
    if (file.includes(".") && !ours.has(file)) rmSync(join(root, file), { force: true, recursive: true })
  }
}

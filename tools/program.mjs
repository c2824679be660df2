/**
 * Bundles the program that is run and published: the service, the simulator and the threads with everything that they load
 * (`dist/program`). A process that reads some bundled files starts in a fraction of the time that some thousand modules take, and
 * users of the package need not install the bundled libraries. What is imported later is in files of its own (`part-…`): a process
 * that does not need it has none of it in memory: with nothing connected the service holds 8 MiB less for it.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { root } from "./parts.mjs"

export const PROGRAM = "dist/program"

/** The entry points for users. Each is one file, which finds the program beside it. */
const starters = { main: "src/app/starter.ts", "simulator/main": "src/app/starter.ts" }

/** The programs that they load. */
const programs = { "main.program": "src/main.ts", "simulator/main.program": "simulator/main.ts" }

/** The entry points of threads and of the process that opens databases, by their names (src/platform/threads/entry.ts). */
const threads = {
  writerWorker: "src/store/sqlite/writerWorker.ts",
  "workers/computations": "src/archive/workers/computations.ts",
  readerThread: "src/imports/readerThread.ts",
  databaseProcess: "src/imports/readers/lmu/databaseProcess.ts",
  encoderThread: "src/formats/parquet/encoderThread.ts"
}

/** Libraries in CommonJS use `require` for Node's modules, which an ES module lacks. */
const REQUIRE =
  'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);'

/** Optional native parts of libraries, and a library that users install who need it. */
const OPTIONAL = ["pg-native", "bufferutil", "utf-8-validate", "@duckdb/node-api"]

const EFFECT = /^import \{([^}]*)\} from "effect"$/gm

/** @param {string} imported The TypeScript text between the braces. */
const byModule = (imported) =>
  imported
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => {
      const [module = "", , own = module] = name.split(" ")
      // Modules have capitals; other exports, such as flow, are functions of a module.
      return /^[A-Z]/.test(module)
        ? `import * as ${own} from "effect/${module}"`
        : `import { ${name} } from "effect/Function"`
    })
    .join("; ")

/**
 * Makes our sources import modules of Effect instead of its index. The index would keep each module whole that any program uses,
 * because it makes an object of it, and load all of them everywhere. Without the index half of Effect is left out, and the thread that
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

/** Sources of the pages, which are built separately. */
const OF_PAGES = ["preact", "@preact/signals", "@preact/signals-core", "swagger-ui-dist", "uplot"].map(
  (name) => `node_modules/${name}`
)

/**
 * The licences of the bundled packages, which must be distributed with them.
 * @param {ReadonlyArray<string>} folders Folders of the packages, relative to the root.
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
 * Bundles the entry points; resolves with the lists of sources and of files, and with the files if they are not written.
 * @param {import("esbuild").BuildOptions} of
 */
const bundled = async (of) => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  // Loaded only for a build.
  const { build, stop } = await import("esbuild")
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    banner: { js: REQUIRE },
    // Not bundled: native modules, and packages that start threads from their own files.
    external: [...Object.keys(dependencies), ...OPTIONAL],
    // Keeps names, so that stack traces from users are readable.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
    plugins: [effectByModule],
    ...of,
    metafile: true
  })
  // Its process would run as long as the program that is started afterwards.
  await stop()
  return { ...metafile, outputFiles: outputFiles ?? [] }
}

export const makeProgram = async () => {
  const started = await bundled({ entryPoints: starters, outdir: PROGRAM })
  const { inputs, outputs } = await bundled({
    entryPoints: { ...programs, ...threads },
    outdir: PROGRAM,
    splitting: true,
    chunkNames: "part-[hash]"
  })
  const packages = [...Object.keys(inputs).map(packageOf), ...OF_PAGES]
  const known = [...new Set(packages)].filter((folder) => folder !== undefined).sort()
  writeFileSync(join(root, PROGRAM, "LICENSES.txt"), `${licences(known)}\n`)
  for (const name of ["main", "simulator/main"]) chmodSync(join(root, PROGRAM, `${name}.js`), 0o755)
  removeOthers(new Set([...Object.keys(started.outputs), ...Object.keys(outputs), `${PROGRAM}/LICENSES.txt`]))
}

/**
 * Bundles the threads for tests, each as one file in `folder`, which has to be in the checkout, for the packages that are not bundled.
 * A file changes as a whole, and only if its sources did: other tests may be loading it.
 * @param {string} folder
 */
export const makeThreads = async (folder) => {
  const { outputFiles } = await bundled({ entryPoints: threads, outdir: folder, write: false })
  for (const { path, text } of outputFiles) {
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.${process.pid}`, text)
    renameSync(`${path}.${process.pid}`, path)
  }
}

/**
 * Removes files of earlier builds.
 * @param {ReadonlySet<string>} ours Current files, relative to the root.
 */
const removeOthers = (ours) => {
  for (const name of readdirSync(join(root, PROGRAM), { encoding: "utf8", recursive: true })) {
    const file = `${PROGRAM}/${name.replaceAll("\\", "/")}`
    if (file.includes(".") && !ours.has(file)) rmSync(join(root, file), { force: true, recursive: true })
  }
}

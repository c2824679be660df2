/**
 * The program as it is run and published: the service, the simulator and the threads with all that they load, in a few
 * files (`dist/program`). A process that reads a few files starts in a fraction of the time that it takes to read some
 * thousand modules, and whoever installs the package installs none of the libraries that are in it.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./parts.mjs"

export const PROGRAM = "dist/program"

/** What is started by itself: by users, or as a thread, under the name that it is asked for by (src/threads/entry.ts). */
const entries = {
  main: "src/main.ts",
  "simulator/main": "simulator/main.ts",
  writerWorker: "src/store/sqlite/writerWorker.ts",
  "workers/computations": "src/archive/workers/computations.ts"
}

/** Libraries in CommonJS ask for Node's modules by `require`, which a module has not. */
const REQUIRE =
  'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);'

/** Native parts that libraries try for, and do without. */
const OPTIONAL = ["pg-native", "bufferutil", "utf-8-validate"]

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
    format: "esm",
    platform: "node",
    target: "node20.19",
    // What is installed beside it: native modules, and what starts threads of its own files.
    external: [...Object.keys(dependencies), ...OPTIONAL],
    banner: { js: REQUIRE },
    legalComments: "none",
    logLevel: "warning",
    ...of,
    metafile: true
  })
  // Its process would go on for as long as what is started afterwards.
  await stop()
  return metafile
}

/**
 * The threads' entries among the modules, each in one file, as in the program: tests start hundreds of threads, and each would read
 * some hundred modules.
 */
export const makeThreadModules = () =>
  bundled({
    entryPoints: {
      "store/sqlite/writerWorker": entries.writerWorker,
      "archive/workers/computations": entries["workers/computations"]
    },
    outdir: "dist/src",
    minifySyntax: true,
    minifyWhitespace: true
  })

export const makeProgram = async () => {
  const metafile = await bundled({
    entryPoints: entries,
    outdir: PROGRAM,
    splitting: true,
    // Names stay: a stack that a user reports is to be read.
    minifySyntax: true,
    minifyWhitespace: true
  })
  const packages = [...Object.keys(metafile.inputs).map(packageOf), ...OF_PAGES]
  const known = [...new Set(packages)].filter((folder) => folder !== undefined).sort()
  mkdirSync(join(root, PROGRAM), { recursive: true })
  writeFileSync(join(root, PROGRAM, "LICENSES.txt"), `${licences(known)}\n`)
  for (const name of ["main", "simulator/main"]) chmodSync(join(root, PROGRAM, `${name}.js`), 0o755)
  removeOthers(new Set([...Object.keys(metafile.outputs), `${PROGRAM}/LICENSES.txt`]))
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

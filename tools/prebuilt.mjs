/**
 * The native module as it was compiled here, in the form that its installer takes ready-made ones in. So an installation
 * that is only to be tried does not compile it once more, for a minute and more, where npm has none for the machine.
 */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, join } from "node:path"
import { root } from "./parts.mjs"

const PACKAGE = join(root, "node_modules/better-sqlite3")
const MODULE = "build/Release/better_sqlite3.node"

const installer = createRequire(import.meta.url)

/**
 * Puts it into a folder; the environment in which npm finds it there.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
export const prebuiltIn = (folder) => {
  const pkg = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"))
  const options = { ...installer("prebuild-install/rc.js")(pkg), pkg }
  const file = basename(installer("prebuild-install/util.js").getDownloadUrl(options))
  // By its name alone: to some tars a colon names another machine.
  const { output, status } = spawnSync("tar", ["-czf", file, "-C", PACKAGE, MODULE], {
    cwd: folder,
    encoding: "utf8"
  })
  if (status !== 0) throw new Error(`tar: ${output?.join("")}`)
  return { npm_config_better_sqlite3_local_prebuilds: folder }
}

/**
 * Removes from package.json the dependency that users of the published package do not need: Node itself, 57 MB, with a `.bin/node` that
 * would replace theirs. `npm pack` runs this before it packs, and with `restore` afterwards.
 */
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../", import.meta.url))
const file = join(root, "package.json")
const kept = join(root, "dist/package.json.kept")

if (process.argv[2] === "restore") renameSync(kept, file)
else {
  copyFileSync(file, kept)
  const { optionalDependencies: _, ...published } = JSON.parse(readFileSync(file, "utf8"))
  writeFileSync(file, `${JSON.stringify(published, null, 2)}\n`)
}

/** Builds stale parts: `node tools/build.mjs [program] [pages] [modules]`; by default all parts. */
import { buildStale, partNames } from "./buildStale.mjs"

const named = process.argv.slice(2)
const unknown = named.filter((name) => !partNames.includes(name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}: ${partNames.join(", ")}`)
  process.exit(2)
}
try {
  await buildStale(named.length === 0 ? partNames : named)
} catch (error) {
  console.error(String(error))
  process.exitCode = 1
}

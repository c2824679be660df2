/** `npm run bench` runs every benchmark, `npm run bench -- NAME` one, each in a process of its own. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const benchmarks = [
  "ingest",
  "datagrams",
  "liveFanout",
  "analysisCompare",
  "analysisSession",
  "analysisThreads",
  "questdbIngest",
  "questdbRead"
] as const

const [wanted] = process.argv.slice(2)
const chosen = benchmarks.filter((name) => wanted === undefined || name === wanted)
if (chosen.length === 0) {
  console.error(`There is no benchmark ${JSON.stringify(wanted)}; there are ${benchmarks.join(", ")}`)
  process.exit(2)
}
for (const name of chosen) {
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(`${name}.js`, import.meta.url))], {
    stdio: "inherit"
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** `npm run bench` runs every benchmark, `npm run bench -- NAME` one, each in a process of its own; `--smoke` as CI does. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { benchmarks } from "./names.ts"

const SMOKE = "--smoke"
const given = process.argv.slice(2)
const wanted = given.filter((argument) => argument !== SMOKE)
const unknown = wanted.filter((name) => !benchmarks.some((known) => known === name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}; there are ${benchmarks.join(", ")}`)
  process.exit(2)
}
const env = { ...process.env, ...(given.includes(SMOKE) ? { BENCH_SMOKE: "1" } : {}) }
for (const name of benchmarks) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const program = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  const { status } = spawnSync(process.execPath, [program], { stdio: "inherit", env })
  if (status !== 0) process.exit(status ?? 1)
}

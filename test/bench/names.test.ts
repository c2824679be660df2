import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { benchmarks } from "../../bench/names.ts"

const main = fileURLToPath(new URL("../../bench/main.ts", import.meta.url))

it("an unknown benchmark is refused, with the list of existing ones", () => {
  const { status, stderr } = spawnSync(process.execPath, [main, "rset"], { encoding: "utf8" })
  expect(status).toBe(2)
  expect(stderr).toContain("There is no benchmark rset")
  for (const name of benchmarks) expect(stderr).toContain(name)
})

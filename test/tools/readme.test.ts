/** `npm run test:readme` on documents: each block of README is run, or gives the reason why not. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

const { scriptOf } = (await import(new URL("../../tools/readme.mjs", import.meta.url).href)) as {
  readonly scriptOf: (name: string, text: string) => string
}

const block = (directive: string, code: string) => `Prose.\n\n${directive}\n\n\`\`\`sh\n${code}\n\`\`\`\n`

/** Runs one block in a shell like the tool's. */
const run = (directive: string, code: string) => {
  const script = `set -em\nOUT=$(mktemp)\n${scriptOf("README.md", block(directive, code))}\nrm "$OUT"`
  const { status, stdout } = spawnSync("bash", ["-c", script], { encoding: "utf8" })
  return { status, stdout }
}

it.each(["README.md", "docs/clients.md"])("%s states for each of its blocks how it is run", (name) => {
  const text = readFileSync(new URL(`../../${name}`, import.meta.url), "utf8")
  const lines = text.match(/^```\w+$/gm)!.length
  expect(scriptOf(name, text).match(new RegExp(`^echo '${name}:\\d+`, "gm"))).toHaveLength(lines)
})

it("a block without a comment is refused with its line", () => {
  expect(() => scriptOf("README.md", "Prose.\n\n```sh\ntrue\n```\n")).toThrow("README.md:3:")
})

it.each([
  ["<!-- run: shows it's 3 -->", 'x=3\n\necho "it\'s $x"', 0],
  ["<!-- run: shows 4 -->", "echo 3", 1],
  ["<!-- run: shows 3 -->", "echo 3\nfalse\necho 3", 1],
  ["<!-- run: eventually shows 3 -->", "echo x >> $OUT.n\ntest $(grep -c x $OUT.n) -ge 3 && echo 3", 0],
  ["<!-- not run: it takes a game -->", "false", 0]
])("%s: %j ends with %i", (directive, code, status) => {
  const ended = run(directive, code)
  expect(ended.stdout).toContain("README.md:5")
  expect(ended.status).toBe(status)
})

/** What `npm run test:readme` holds README to: that it reads all of it, and what it would not let through. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

interface Block {
  readonly heading: string
  readonly prose: string
  readonly language: string
  readonly code: string
  readonly line: number
}

interface Ended {
  readonly status: number
  readonly output: string
  readonly errors: string
}

const tool = async <A>(name: string) =>
  (await import(new URL(`../../tools/readme/${name}.mjs`, import.meta.url).href)) as A
const { blocksOf } = await tool<{ readonly blocksOf: (text: string) => ReadonlyArray<Block> }>("blocks")
const { commandsOf } = await tool<{ readonly commandsOf: (code: string) => ReadonlyArray<string> }>("Shell")
const { wrongWith } = await tool<{
  readonly wrongWith: (command: string, ended: Ended, folder: string) => string | undefined
}>("outputs")

const readme = readFileSync(fileURLToPath(new URL("../../README.md", import.meta.url)), "utf8")

it("every block of README is found, with what stands before it", () => {
  const blocks = blocksOf(readme)
  expect(blocks).toHaveLength(readme.match(/^```\w*$/gm)!.length / 2)
  const demo = blocks.find(({ code }) => code === "npm ci && npm run demo")
  expect(demo).toMatchObject({ heading: "Two commands", language: "sh" })
  expect(readme.split("\n")[demo!.line - 1]).toBe(demo!.code)
  expect(blocks.find(({ code }) => code.includes("/compare?"))!.prose).toContain("after two laps")
})

it("a block is split into commands, each with all of its lines", () => {
  expect(commandsOf("A=1\n\nnode -e '\n  one()\n  two()'\nsleep 1 &\nuntil false; do\n  x\ndone")).toEqual([
    "A=1",
    "node -e '\n  one()\n  two()'",
    "sleep 1 &",
    "until false; do\n  x\ndone"
  ])
  expect(() => commandsOf("echo 'never closed")).toThrow("not a whole command")
})

const good = { status: 0, errors: "" }
const csv = "timestamp,speed,rpm,gear,throttle,brake,steering,x,y,z\n1,2,3,4,5,6,7,8,9,10\n"
const live = '{"type":"telemetry"}\n'.repeat(3)

it.each([
  ["curl -s $API/status", { ...good, output: '{"connected":true}' }],
  ['curl -s $API/health  # {"status":"healthy"}', { ...good, output: '{"status":"healthy"}' }],
  ["curl -s -H 'Accept: text/csv' x | head -3", { ...good, output: csv }],
  ["node --input-type=module -e ''", { ...good, output: live }],
  ["SESSION=$(x)", { ...good, output: "" }],
  ["kill %1", { ...good, output: "" }]
])("%s is let through where it answered what it is for", (command, ended) => {
  expect(wrongWith(command, ended, tmpdir())).toBeUndefined()
})

it.each([
  ["kill %1", { ...good, status: 1, output: "" }],
  ["curl -s $API/status", { ...good, output: "" }],
  ["curl -s $API/status", { ...good, output: '{"detail":"Session 9 was not found"}' }],
  ["curl -s $API/status", { ...good, output: "<html>" }],
  ['curl -s $API/health  # {"status":"healthy"}', { ...good, output: '{"status":"fine"}' }],
  ["curl -s -H 'Accept: text/csv' x | head -3", { ...good, output: '{"detail":"x"}' }],
  ["curl -s -H 'Accept: text/csv' x | head -3", { ...good, output: csv.split("\n")[0]! }],
  ["node --input-type=module -e ''", { ...good, output: "" }],
  ["node --input-type=module -e ''", { ...good, output: '{"type":"lap"}\n'.repeat(9) }],
  ["SESSION=$(x)", { ...good, output: "undefined" }]
])("%s is not let through with %j", (command, ended) => {
  expect(wrongWith(command, ended, tmpdir())).toEqual(expect.any(String))
})

it("a file that README names must have been saved, and must hold what its name says", () => {
  const folder = mkdtempSync(join(tmpdir(), "telemetry-readme-"))
  try {
    const command = "curl -sOJ $API/export/json/$LAP     # lap-1.json"
    const ended = { ...good, output: "" }
    expect(wrongWith(command, ended, folder)).toBe("lap-1.json was not saved")
    writeFileSync(join(folder, "lap-1.json"), '{"detail":"Lap 1 was not found"}')
    expect(wrongWith(command, ended, folder)).toContain("an error")
    writeFileSync(join(folder, "lap-1.json"), '{"lap":{}}')
    expect(wrongWith(command, ended, folder)).toBeUndefined()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** Writes docs/settings.md from the table of settings: `npm run node tools/docs/writeSettings.ts`. A test compares the two. */
import { readFileSync, writeFileSync } from "node:fs"
import { settingsTable } from "../../src/app/Settings.ts"
import { flagOf, type SettingsTable } from "../../src/platform/commandLine.ts"

const table: SettingsTable = settingsTable

const rows = Object.entries(table).map(([key, { env, fallback, help, value }]) => {
  const flag = `--${flagOf(key)}${value === undefined ? "" : ` ${value}`}`
  const wanted = key === "data" ? "./data" : fallback
  return `| \`${flag}\` | \`${env}\` | ${wanted} | ${help} |`
})

const BEGIN = "<!-- written by tools/docs/writeSettings.ts -->\n"
const END = "<!-- end -->"

/** The page with its table as it should be. */
export const withSettings = (page: string): string => {
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined)
    throw new Error("docs/settings.md has no place for its table")
  const head = ["| flag | variable | default | |", "| --- | --- | --- | --- |"]
  return [before, BEGIN, "\n", [...head, ...rows].join("\n"), "\n\n", END, after].join("")
}

if (process.argv[1]?.endsWith("writeSettings.ts") === true) {
  const file = new URL("../../docs/settings.md", import.meta.url)
  writeFileSync(file, withSettings(readFileSync(file, "utf8")))
}

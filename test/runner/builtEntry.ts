/**
 * Stands in for src/threads/entry.ts where the build is that of the sources: a thread that starts from it costs a
 * third of the processor time, for it needs no compiler. Threads of tests' own functions start from their sources.
 */
import * as FromSources from "../../src/threads/entry.ts"

export { execArgvOf } from "../../src/threads/entry.ts"

const root = new URL("../../", import.meta.url).href

export const entryOf = (name: string, beside: string): URL =>
  FromSources.entryOf(
    name,
    beside.startsWith(`${root}src/`)
      ? beside.replace(`${root}src/`, `${root}dist/src/`).replace(/\.ts$/, ".js")
      : beside
  )

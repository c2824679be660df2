/** The demo's flags are the service's, but for two of its own: what the simulator speaks, and where points go. */
import { parseArgs } from "node:util"
import { NATIVE } from "./SimulatorSettings.ts"

const own = { simulator: { type: "string" }, questdb: { type: "boolean" } } as const

/** What `--simulator` says ("" where it says nothing), whether `--questdb` stands, and the flags that are the service's. */
export const readDemoFlags = (argv: ReadonlyArray<string>) => {
  const { tokens, values } = parseArgs({ args: [...argv], strict: false, tokens: true, options: own })
  const taken = new Set<number>()
  for (const token of tokens) {
    if (token.kind !== "option" || !Object.hasOwn(own, token.name)) continue
    taken.add(token.index)
    if (token.name === "simulator" && token.inlineValue === false) taken.add(token.index + 1)
  }
  const { questdb = false, simulator = NATIVE } = values
  return {
    simulator: typeof simulator === "string" ? simulator : "",
    questdb: questdb === true,
    service: argv.filter((_, index) => !taken.has(index))
  }
}

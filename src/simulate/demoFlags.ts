/** The demo's flags are the service's, but for one of its own: what the simulator speaks. */
import { parseArgs } from "node:util"
import { NATIVE } from "./SimulatorSettings.ts"

/** What `--simulator` says, "" where it says nothing, and the flags that are the service's. */
export const readDemoFlags = (argv: ReadonlyArray<string>) => {
  const { tokens, values } = parseArgs({
    args: [...argv],
    strict: false,
    tokens: true,
    options: { simulator: { type: "string" } }
  })
  const own = new Set<number>()
  for (const token of tokens) {
    if (token.kind !== "option" || token.name !== "simulator") continue
    own.add(token.index)
    if (token.inlineValue === false) own.add(token.index + 1)
  }
  const { simulator = NATIVE } = values
  return {
    simulator: typeof simulator === "string" ? simulator : "",
    service: argv.filter((_, index) => !own.has(index))
  }
}

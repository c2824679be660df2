/** The demo's flags are the service's, and two of its own: what the simulator speaks, and where points go. */
import { parseArgs } from "node:util"
import { oneOf, toggle } from "../src/platform/commandLine.ts"
import { settingsTable } from "../src/app/Settings.ts"
import { emulators } from "../simulator/emulators/index.ts"
import { NATIVE } from "../simulator/SimulatorSettings.ts"

const protocols = [NATIVE, ...emulators.map((kind) => kind.protocol)]

const own = {
  simulator: {
    value: "PROTOCOL",
    help: `What the simulator speaks: ${protocols.join(", ")}`,
    read: oneOf(...protocols),
    fallback: NATIVE
  },
  questdb: {
    help: "Points go to a QuestDB of the demo's own, at a high rate",
    read: toggle,
    fallback: "false"
  }
} as const

export const demoSettings = { ...settingsTable, ...own } as const

/** The flags that are the service's, of words that the table above could be read from. */
export const serviceFlags = (argv: ReadonlyArray<string>): ReadonlyArray<string> => {
  const options = { simulator: { type: "string" }, questdb: { type: "boolean" } } as const
  const { tokens } = parseArgs({ args: [...argv], strict: false, tokens: true, options })
  const taken = new Set<number>()
  for (const token of tokens) {
    if (token.kind !== "option" || !Object.hasOwn(own, token.name)) continue
    taken.add(token.index)
    if (token.name === "simulator" && token.inlineValue === false) taken.add(token.index + 1)
  }
  return argv.filter((_, index) => !taken.has(index))
}

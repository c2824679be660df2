/** The demo's flags: those of the service, and two of its own for the simulator's protocol and the store of points. */
import { parseArgs } from "node:util"
import { oneOf, toggle } from "../src/platform/commandLine.ts"
import { settingsTable } from "../src/app/Settings.ts"
import { emulators } from "../simulator/emulators/index.ts"
import { NATIVE } from "../simulator/SimulatorSettings.ts"

const protocols = [NATIVE, ...emulators.map((kind) => kind.protocol)]

const own = {
  simulator: {
    value: "PROTOCOL",
    help: `Protocol of the simulator: ${protocols.join(", ")}`,
    read: oneOf(...protocols),
    fallback: NATIVE
  },
  questdb: {
    help: "Store points in a QuestDB that the demo starts, and drive at a high rate",
    read: toggle,
    fallback: "false"
  }
} as const

export const demoSettings = { ...settingsTable, ...own } as const

/** The service's flags among the demo's arguments. */
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

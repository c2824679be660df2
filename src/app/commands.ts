/** The commands of the program, each loaded when it is called. Without a command, the program is the service. */
import { Effect } from "effect"
import { BadUsage, type Unread, unlessKeptByNpm } from "../platform/commandLine.ts"
import { answering, runProgram } from "../platform/exit.ts"
import { suggestion } from "../platform/suggestion.ts"

/** Runs the command with the arguments after its name. */
type Program = (argv: ReadonlyArray<string>) => Effect.Effect<void, Unread>

interface Command {
  readonly does: string
  readonly load: () => Promise<Program>
}

const commands: Readonly<Record<string, Command>> = {
  demo: {
    does: "the service and the bundled simulator, connected",
    load: async () => (await import("../../demo/command.ts")).demo
  },
  simulator: {
    does: "the bundled simulator alone",
    load: async () => (await import("../../simulator/command.ts")).simulator
  },
  migrate: {
    does: "copies sessions between stores",
    load: async () => (await import("../maintenance/migrate/command.ts")).migration
  },
  adopt: {
    does: "rebuilds sessions from their points if their catalog is lost",
    load: async () => (await import("../maintenance/adopt/command.ts")).adoption
  },
  verify: {
    does: "reads all points in the data folder, and lists those that are damaged",
    load: async () => (await import("../maintenance/verify/command.ts")).verification
  },
  restore: {
    does: "replaces the data folder's database with a backup",
    load: async () => (await import("../maintenance/restore/command.ts")).restoring
  },
  import: {
    does: "imports files of other programs and recordings",
    load: async () => (await import("../maintenance/import/command.ts")).importing
  },
  export: {
    does: "writes a session or a lap of a service to a file",
    load: async () => (await import("../maintenance/export/command.ts")).exporting
  },
  redecode: {
    does: "makes a session anew from the datagrams kept beside it",
    load: async () => (await import("../maintenance/redecode/command.ts")).redecoding
  },
  autostart: {
    does: "turns the start of the service at log-on to Windows on or off",
    load: async () => (await import("./autostart/command.ts")).autostart
  }
}

const USAGE = `telemetry FLAGS: the telemetry session service (npm start -- FLAGS)

${Object.entries(commands)
  .map(([name, { does }]) => `  telemetry ${name.padEnd(10)} ${does} (telemetry ${name} --help)`)
  .join("\n")}`

const service = async (): Promise<Program> => {
  const { serve } = await import("./roles/serve.ts")
  return (argv) => serve(USAGE, argv)
}

/** The error for an unknown command. If the word is the value of a flag that npm kept, the error says how to give that flag. */
const unknownCommand = Effect.fnUntraced(function* (word: string, argv: ReadonlyArray<string>) {
  const { settingsTable } = yield* Effect.promise(() => import("./Settings.ts"))
  yield* unlessKeptByNpm(settingsTable, argv, process.env)
  const known = Object.keys(commands)
  const meant = suggestion(word, known) || `. There are ${known.join(", ")}`
  return yield* new BadUsage({ sentence: `Unknown command '${word}'${meant}` })
})

/** The program that the arguments select: a first word that is not a flag names a command. */
const program = (argv: ReadonlyArray<string>): Effect.Effect<void, Unread> => {
  const [word, ...others] = argv
  if (word === undefined || word.startsWith("-")) {
    return Effect.flatMap(Effect.promise(service), (serve) => serve(argv))
  }
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (command === undefined) return unknownCommand(word, argv)
  return Effect.flatMap(Effect.promise(command.load), (carryOut) => carryOut(others))
}

/** Runs as the process: `argv` is the arguments after the name of the program. */
export const run = (argv: ReadonlyArray<string>): void => runProgram(answering(program(argv)))

/**
 * Shared by all files of a run: servers, and the service in processes of its own. Each is started when a test first
 * requests it, and ended with the run.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { Effect, Exit, Scope } from "effect"
import { memoryFolder } from "./memory.ts"
import { startPostgres } from "./servers/postgres.ts"
import { startOwnQuestdb } from "./servers/questdb.ts"
import { DESK } from "./servers/shared.ts"
import { startService } from "./sharedService.ts"

interface Shared {
  /** The answer to a request, such as an address. */
  readonly text: string
  /** Runs before each answer. */
  readonly prepare?: () => Promise<void>
  /** The commands that a test may send. */
  readonly commands?: Readonly<Record<string, () => Promise<void>>>
}

/** Databases are created by the hundred, each of them some hundred files. QuestDB's would be gigabytes. */
const parent = memoryFolder() ?? tmpdir()

const kinds: Readonly<Record<string, Effect.Effect<Shared, never, Scope.Scope>>> = {
  // Its data is not needed later: it need not wait for the disk.
  postgres: Effect.map(startPostgres(parent, "-c", "fsync=off", "-c", "full_page_writes=off"), ({ url }) => ({
    text: url
  })),
  questdb: Effect.map(startOwnQuestdb, ({ url }) => ({ text: url })),
  "killable-questdb": Effect.map(startOwnQuestdb, ({ kill, start, url }) => {
    const commands = { kill: () => Effect.runPromise(kill), start: () => Effect.runPromise(start) }
    return { text: url, prepare: commands.start, commands }
  }),
  service: Effect.map(startService, ({ empty, text }) => ({ text, prepare: empty }))
}

export default async () => {
  const scope = Effect.runSync(Scope.make())
  const started = new Map<string, Promise<Shared>>()
  /** `/postgres`; `/service/2` for the second process that asks for one of its own; `/killable-questdb/2/kill` for a command. */
  const answer = async (path: string) => {
    const [kind, slot, command] = path.slice(1).split("/")
    const name = `${kind} ${slot}`
    const first = started.get(name) ?? Effect.runPromise(Scope.extend(kinds[kind!]!, scope))
    started.set(name, first)
    const { commands, prepare, text } = await first
    await (command === undefined ? prepare?.() : commands![command]!())
    return text
  }
  const desk = createServer((request, response) => {
    answer(request.url!).then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error))
    )
  })
  await new Promise<void>((done) => desk.listen(0, "127.0.0.1", done))
  process.env[DESK] = `http://127.0.0.1:${(desk.address() as AddressInfo).port}`
  return async () => {
    desk.close()
    desk.closeAllConnections()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

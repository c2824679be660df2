/** `npm run demo -- --questdb`: the high-rate mode, with a QuestDB of the demo's own beside the service's data. */
import { join } from "node:path"
import { Console, Data, Effect } from "effect"
import { questdbJar, questdbVersion, startQuestdb } from "../tools/provision/questdb.ts"
import { freePorts } from "../tools/provision/serverProcess.ts"
import { startedProcess } from "./startedProcesses.ts"

/** Hz: more than any simulator gives, and than the default of the bundled one. */
export const HIGH_RATE = "1000"

/** Java, Maven or the server: what is missing, or went wrong. */
export class NoQuestdb extends Data.TaggedError("NoQuestdb")<{ readonly sentence: string }> {}

/** Starts it for as long as the scope; the service's flags for it, and what to ask of it. */
export const demoQuestdb = Effect.fn("demo.questdb")(function* (data: string) {
  yield* Console.log(`Starting QuestDB ${questdbVersion}; the first time it is fetched`)
  const jar = questdbJar()
  if (jar === undefined) {
    return yield* new NoQuestdb({
      sentence: "--questdb needs Java 17 or newer, and Maven (mvn) to fetch QuestDB"
    })
  }
  const [http = 0, pg = 0] = yield* Effect.promise(() => freePorts(2))
  const started = yield* startedProcess
  const { child } = yield* Effect.mapError(
    startQuestdb(jar, { folder: join(data, "questdb"), http, pg, small: false, detached: true }),
    ({ output }) => new NoQuestdb({ sentence: `QuestDB did not start: ${output}` })
  )
  started.pid = child.pid
  const query = "SELECT ts, session, avg(speed) FROM points SAMPLE BY 1s LIMIT -5"
  return {
    flags: ["--points", `questdb://127.0.0.1:${http}?pg=${pg}`],
    hint: `curl -G http://127.0.0.1:${http}/exec --data-urlencode "query=${query}"`
  }
})

/** `npm run demo -- --questdb`: the high-rate mode, with a QuestDB for the demo only, in the service's data folder. */
import { join } from "node:path"
import { Console, Data, Effect } from "effect"
import { questdbJar, questdbVersion, startQuestdb } from "../tools/provision/questdb.ts"
import { freePorts } from "../tools/provision/serverProcess.ts"
import { startedProcess } from "./startedProcesses.ts"

/** Hz: above the rates of all simulators, and above the default of the bundled one. */
export const HIGH_RATE = "1000"

/** Java or Maven is missing, or the server did not start. */
export class NoQuestdb extends Data.TaggedError("NoQuestdb")<{ readonly sentence: string }> {}

/** Starts QuestDB for as long as the scope; gives the service's flags for it, and a sample query. */
export const demoQuestdb = Effect.fn("demo.questdb")(function* (data: string) {
  yield* Console.log(`Starting QuestDB ${questdbVersion}; the first start downloads it`)
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

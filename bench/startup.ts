/**
 * From the start of the process to its line `listening on …`: the service with an empty folder, as it is published and
 * from its sources, and Node with an empty HTTP server.
 *
 *   npm run bench -- startup        (RUNS by environment)
 */
import { compare, type Figures } from "./suite/comparison.ts"
import { SOURCES, type Program, startProgram, startService } from "./suite/programs.ts"

const started = async (start: () => Promise<Program>): Promise<Figures> => {
  const before = performance.now()
  const program = await start()
  const figures = { seconds: (performance.now() - before) / 1000, "CPU seconds": program.cpuSeconds() }
  await program.stop()
  return figures
}

await compare({
  title: "Start-up",
  subjects: [
    { name: "service", run: () => started(() => startService()) },
    { name: "sources", run: () => started(() => startService([], [], SOURCES)) },
    { name: "node:http", run: () => started(() => startProgram("baselines/answerHttp.ts", ["/", "{}"])) }
  ],
  ratios: [
    { figure: "seconds", of: "service", to: "node:http" },
    { figure: "seconds", of: "service", to: "sources" },
    { figure: "CPU seconds", of: "service", to: "sources" }
  ]
})

/** Every benchmark, in the order in which they run: `bench/NAME.ts`, which keeps `bench/results/NAME.json`. */
export const benchmarks = [
  "ingest",
  "datagrams",
  "fanout",
  "rest",
  "ranges",
  "exports",
  "analysisCompare",
  "analysisSession",
  "analysisThreads",
  "startup",
  "idle",
  "memory",
  "questdbIngest",
  "questdbRead"
] as const

export type Benchmark = (typeof benchmarks)[number]

/** Those that start a QuestDB, for which there must be Java. */
export const needQuestdb: ReadonlyArray<Benchmark> = ["questdbIngest", "questdbRead"]

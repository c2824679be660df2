/** Every benchmark, in the order in which they run: `bench/NAME.ts`, which writes `bench/results/NAME.json`. */
export const benchmarks = [
  "ingest",
  "ingestChannels",
  "datagrams",
  "drivers",
  "fanout",
  "reconnect",
  "hostile",
  "overload",
  "attack",
  "rest",
  "archive",
  "ranges",
  "rangesChannels",
  "exports",
  "imports",
  "analysisCompare",
  "analysisSession",
  "analysisThreads",
  "analysisLong",
  "startup",
  "idle",
  "besideLogger",
  "memory",
  "codec",
  "pages",
  "ingestQuestdb",
  "questdbIngest",
  "questdbRead",
  "questdbColumns",
  "cluster"
] as const

export type Benchmark = (typeof benchmarks)[number]

/** Those that start a QuestDB, for which there must be Java. */
export const needQuestdb: ReadonlyArray<Benchmark> = [
  "ingestQuestdb",
  "questdbIngest",
  "questdbRead",
  "questdbColumns",
  "cluster"
]

/** Benchmarks that open pages and need Chromium. */
export const needBrowser: ReadonlyArray<Benchmark> = ["pages"]

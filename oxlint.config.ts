/** The rules of the linter, and with them the layers of `src`. */
import { readdirSync } from "node:fs"
import { defineConfig } from "oxlint"

/**
 * What each folder of `src` may import of the others; ARCHITECTURE.md has the reasons. A port may be known to whoever
 * uses it, an implementation only to `app` and `maintenance`.
 */
const ports = ["store/*.ts"]
const basics = ["domain", "platform"]
const layers: Readonly<Record<string, ReadonlyArray<string>>> = {
  domain: [],
  platform: ["domain"],
  analysis: ["domain"],
  observability: basics,
  store: [...basics, "observability/traced.ts"],
  live: [...basics, "store/Configurations.ts", "store/RowStore.ts", "store/Sessions.ts"],
  recording: [...basics, ...ports, "live/hub/LivePublisher.ts"],
  simulators: [
    ...basics,
    "store/Configurations.ts",
    "store/Connections.ts",
    "store/Sessions.ts",
    "recording/feed/EventSink.ts",
    "recording/feed/Recorder.ts",
    "recording/raw/RawDatagrams.ts"
  ],
  archive: [...basics, ...ports, "analysis"],
  formats: [...basics, ...ports, "archive"],
  operations: [
    ...basics,
    ...ports,
    "analysis/compare/comparison.ts",
    "archive",
    "formats",
    "imports/*.ts",
    "imports/tables/localTime.ts",
    "imports/uploads",
    "live",
    "recording/intake/StoreProgress.ts",
    "simulators/Driver.ts",
    "simulators/connection",
    "simulators/drivers/index.ts"
  ],
  api: [
    ...basics,
    ...ports,
    "archive",
    "formats",
    "imports/ImportCommands.ts",
    "imports/uploads/receive.ts",
    "live",
    "observability",
    "operations",
    "recording/intake/StoreProgress.ts",
    "simulators/connection"
  ],
  cluster: [
    ...basics,
    ...ports,
    "imports/ImportCommands.ts",
    "imports/ImportQueue.ts",
    "live",
    "observability",
    "recording/intake/StoreProgress.ts",
    "recording/intake/recovery.ts",
    "simulators/Driver.ts",
    "simulators/connection"
  ],
  imports: [
    ...basics,
    ...ports,
    "live/hub/LivePublisher.ts",
    "recording/feed",
    "recording/intake",
    "recording/laps",
    "simulators/Driver.ts",
    "simulators/connection/coalesce.ts",
    "simulators/drivers/any",
    "simulators/drivers/f1/layout.ts",
    "simulators/drivers/native",
    "simulators/udp"
  ],
  maintenance: [
    ...basics,
    "app",
    "imports",
    "observability",
    "recording/feed/sessionNames.ts",
    "recording/intake/recovery.ts",
    "recording/raw/rawFolder.ts",
    "recording/intake/SessionEndings.ts",
    "store"
  ]
}

/** Packages, and the folders that may know them. */
const packages: ReadonlyArray<readonly [names: ReadonlyArray<string>, only: ReadonlyArray<string>]> = [
  [
    ["@effect/sql", "@effect/sql/**", "@effect/sql-pg/**", "pg", "node:sqlite"],
    ["app", "maintenance", "store"]
  ],
  [
    ["node:http", "node:https", "@effect/platform/Http*", "@effect/platform-node/NodeHttp*"],
    ["api", "app", "cluster", "observability", "store"]
  ],
  [["@trpc/**"], ["api"]],
  [["ws"], ["api", "live", "simulators"]],
  // What computes has no I/O.
  [
    ["node:*", "@effect/platform/**", "@effect/platform-node/**"],
    Object.keys(layers).filter((name) => !["analysis", "domain"].includes(name))
  ]
]

interface Forbidden {
  readonly group: ReadonlyArray<string>
  readonly message: string
}

/** The whole of a package takes 0.25 s and 20 MB at the start. */
const indexes: Forbidden = {
  group: ["@effect/platform", "@effect/platform-node", "@effect/sql"],
  message: "The whole of it takes 0.25 s and 20 MB at the start: import the module."
}

const restricted = (files: ReadonlyArray<string>, patterns: ReadonlyArray<Forbidden>) => ({
  files: [...files],
  rules: { "no-restricted-imports": ["error", { patterns: [indexes, ...patterns] }] as const }
})

const forbiddenTo = (layer: string): ReadonlyArray<Forbidden> => [
  {
    group: [
      ...["app", ...Object.keys(layers)]
        .filter((other) => other !== layer)
        .map((other) => `../**/${other}/**`),
      ...layers[layer]!.map((path) => `!../**/${path}${path.endsWith(".ts") ? "" : "/**"}`)
    ],
    message: `src/${layer} does not know it (oxlint.config.ts)`
  },
  ...packages
    .filter(([, only]) => !only.includes(layer))
    .map(([group]) => ({ group, message: `src/${layer} does not use it (oxlint.config.ts)` }))
]

const layer = (name: string) => restricted([`src/${name}/**`], forbiddenTo(name))

/** Within a folder: `part` does not know the parts beside it, but for `may`. */
const apart = (folder: string, part: string, others: ReadonlyArray<string>) =>
  restricted(
    [`src/${folder}/${part}/**`],
    [
      ...forbiddenTo(folder.split("/")[0]!),
      {
        group: others.flatMap((other) => [`../${other}/**`, `../../${other}/**`]),
        message: `src/${folder}/${part} does not know ${others.join(", ")} (oxlint.config.ts)`
      }
    ]
  )

/** Drivers that read the packets of others, and `outgauge`, which several games send. */
const familiar: Readonly<Record<string, ReadonlyArray<string>>> = {
  any: ["beamng", "codemasters", "forza", "project-cars-2", "project-motor-racing", "richard-burns-rally"],
  codemasters: ["dirt-rally-2", "ea-wrc", "f1"],
  "dirt-rally": ["dirt-rally-2"]
}
const drivers = readdirSync(new URL("src/simulators/drivers", import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

export default defineConfig({
  plugins: ["typescript", "import", "unicorn", "promise", "vitest", "node"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  rules: {
    "no-shadow": "off",
    "no-underscore-dangle": "off",
    "no-await-in-loop": "off",
    "unicorn/no-array-sort": "off",
    "unicorn/no-array-reverse": "off",
    "import/no-unassigned-import": "off",
    "import/no-cycle": "error",
    "typescript/no-explicit-any": "error",
    "vitest/no-standalone-expect": "off"
  },
  overrides: [
    restricted(["src/**", "simulator/**", "demo/**"], []),
    ...Object.keys(layers).map(layer),
    apart("api", "rest", ["trpc"]),
    apart("api", "trpc", ["rest", "pages"]),
    apart("store", "sqlite", ["questdb", "postgres"]),
    apart("store", "postgres", ["questdb", "sqlite", "spool"]),
    apart("store", "questdb", ["postgres"]),
    ...drivers.map((driver) =>
      apart(
        "simulators/drivers",
        driver,
        drivers.filter((other) => ![driver, "outgauge", ...(familiar[driver] ?? [])].includes(other))
      )
    )
  ],
  ignorePatterns: ["dist", "data"]
})

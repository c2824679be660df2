/**
 * From the socket to the disk: four packed native feeds through a real service process, validated, cut into laps,
 * stored durably in the embedded store and fanned out to 100 live subscribers at 60 Hz (suite/ingesting.ts). Compared
 * with a plain program that does the same with the same blocks on the same SQLite (baselines/pipeline.ts).
 *
 *   npm run bench -- ingest        (RUNS, POINTS, SECONDS of the paced ones, ONLY=part of a title by environment)
 */
import { scaled, smoke } from "./suite/comparison.ts"
import { embedded } from "./suite/embedded.ts"
import { setting } from "./suite/figures.ts"
import { compareIngest, FEEDS } from "./suite/ingesting.ts"

await compareIngest({
  into: "ingest",
  ...embedded,
  least: 0.9,
  points: setting("POINTS", scaled(10_000_000, 20_000)),
  // In smoke runs, one rate checks as much as another.
  rates: [FEEDS * 60, ...(smoke ? [] : [100_000, 1_000_000])]
})

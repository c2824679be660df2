/**
 * Channels beyond the ten, from the socket to the disk: the same as `ingest`, with groups of 50 channels that have a
 * sample at each point. A quarter of the channels are constant, a quarter temperatures, a quarter steps and a quarter
 * suspension (suite/benchGroups.ts). The plain program stores them with the service's own blocks.
 *
 *   npm run bench -- ingestChannels        (RUNS, ONLY=part of a title by environment)
 */
import { scaled } from "./suite/comparison.ts"
import { embedded } from "./suite/embedded.ts"
import { compareChannels, FEEDS, paced } from "./suite/ingesting.ts"

const POINTS = scaled(1_000_000, 8000)

await compareChannels(`${POINTS} points of ${FEEDS} feeds with their lap and its distance`, embedded, {
  points: POINTS,
  rate: undefined,
  lapColumns: true
})
await compareChannels("a feed of 300 channels at 1 kHz", embedded, paced(1, 300, 1000))
await compareChannels("20 feeds of 150 channels at 60 Hz", embedded, paced(20, 150, 60))

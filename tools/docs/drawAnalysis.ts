/**
 * Draws the pictures of docs/analysis/method.md from real laps into docs/analysis/.
 *
 *   npm run node tools/docs/drawAnalysis.ts [NAME ...]
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { alignment } from "./figures/alignment.ts"
import { anomalies } from "./figures/anomalies.ts"
import { closure } from "./figures/closure.ts"
import { curvature } from "./figures/curvature.ts"
import { delta } from "./figures/delta.ts"
import { lapTimes } from "./figures/lapTimes.ts"
import { lineSpread } from "./figures/lineSpread.ts"
import { map } from "./figures/map.ts"
import { microSectors } from "./figures/microSectors.ts"
import { predictions } from "./figures/predictions.ts"
import { sectors } from "./figures/sectors.ts"
import { needSharedData } from "./sharedData.ts"

needSharedData()

const figures: Readonly<Record<string, () => string>> = {
  alignment,
  anomalies,
  closure,
  curvature,
  delta,
  lapTimes,
  lineSpread,
  map,
  microSectors,
  predictions,
  sectors
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in figures))
if (unknown.length > 0) {
  console.error(`There is no picture ${unknown.join(", ")}; there are ${Object.keys(figures).join(", ")}`)
  process.exit(2)
}
const folder = fileURLToPath(new URL("../../docs/analysis/", import.meta.url))
mkdirSync(folder, { recursive: true })
for (const [name, draw] of Object.entries(figures)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const svg = draw()
  writeFileSync(`${folder}${name}.svg`, svg)
  console.log(`docs/analysis/${name}.svg  ${(svg.length / 1000).toFixed(1)} kB`)
}

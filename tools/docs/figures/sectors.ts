/** Each sector's times over a session, and where its best ones come from. */
import { bestSectors, sectorTimes, theoreticalBest } from "../../../src/analysis/compare/comparable.ts"
import { BLUE, dot, frame, grid, INK, line, picture, RED, text, upwards, axis } from "../plot.ts"
import { bahrain, recordsOf } from "../sharedData.ts"

/** Slower laps are not shown, s over the best of the sector. */
const SHOWN_S = 4

export const sectors = (): string => {
  const laps = recordsOf(bahrain())
  const best = bestSectors(laps)
  const whole = frame(56, 220)
  const width = (whole.right - whole.left) / 3
  const y = upwards(whole, 0, SHOWN_S)
  return picture(
    336,
    `Bahrain, a Formula 1 car: theoretical best ${theoreticalBest(laps)!.toFixed(3)} s, best lap 93.669 s`,
    [0, 1, 2].map((s) => {
      const box = { ...whole, left: whole.left + s * width, right: whole.left + (s + 1) * width - 28 }
      const x = axis(0, 50, box.left, box.right)
      const shown = laps.flatMap((lap) => {
        const time = sectorTimes(lap)[s]
        return lap.valid && time !== null && time !== undefined ? [{ number: lap.lapNumber, time }] : []
      })
      const fastest = shown.find(({ time }) => time === best[s])!
      return [
        grid(
          box,
          { axis: x, name: `lap, sector ${s + 1}`, about: 5 },
          {
            axis: y,
            name: s === 0 ? "s slower than the sector's best" : "",
            ...(s === 0 ? {} : { show: () => "" })
          }
        ),
        line([box.left, y(0)], [box.right, y(0)], INK),
        ...shown
          .filter(({ time }) => time - best[s]! <= SHOWN_S)
          .map(({ number, time }) => dot([x(number), y(time - best[s]!)], time === best[s] ? RED : BLUE)),
        text(box.right - 4, box.top - 6, `best: lap ${fastest.number}, ${best[s]!.toFixed(3)} s`, {
          "text-anchor": "end"
        })
      ].join("\n")
    })
  )
}

/** The error of each lap's delta at the line, and which laps are trusted. */
import type { Closure } from "../../../src/domain/analysis/comparison.ts"
import { compare } from "../../../src/analysis/compare/comparison.ts"
import {
  across,
  axis,
  BLUE,
  dot,
  type Frame,
  frame,
  grid,
  INK,
  legend,
  line,
  picture,
  RED,
  rect,
  text,
  upwards
} from "../plot.ts"
import { limeRock, roadAmerica } from "../sharedData.ts"

/** Laps with a larger error are not trusted (`CLOSES_S` in comparison.ts), ms. */
const LIMIT = 100
/** The end of the scale, ms. */
const MOST = 250
/** Position of values beyond the scale, ms. */
const SHOWN = 230

const panel = (box: Frame, name: string, closure: ReadonlyArray<Closure>): string => {
  const x = across(box, 0, closure.length + 1)
  const y = upwards(box, -MOST, MOST)
  return [
    rect([box.left, y(LIMIT)], [box.right, y(-LIMIT)], "#eef6ee"),
    grid(
      box,
      { axis: axis(x.from, x.to, box.left, box.right), name: `lap of ${name}`, about: 9 },
      { axis: y, name: "closure, ms", about: 5 }
    ),
    line([box.left, y(0)], [box.right, y(0)], INK),
    ...closure.map(({ total, trusted }, l) => {
      const value = (total ?? 0) * 1000
      const at = [x(l + 1), y(Math.max(-SHOWN, Math.min(SHOWN, value)))] as const
      const colour = trusted ? BLUE : RED
      const beyond = Math.abs(value) > MOST
      return (
        dot(at, colour) +
        (beyond
          ? text(at[0] + 8, at[1] + 4, `${value < 0 ? "\u2212" : "+"}${Math.abs(value / 1000).toFixed(2)} s`)
          : "")
      )
    })
  ].join("\n")
}

export const closure = (): string =>
  picture(470, "Closure of every lap against its session's fastest", [
    legend(64, 44, [
      [BLUE, "trusted"],
      [RED, "not trusted, with a reason"],
      ["#dfeedd", "within 0.1 s"]
    ]),
    panel(frame(60, 150), "Road America", compare(roadAmerica(), 5).closure),
    panel(frame(270, 150), "Lime Rock", compare(limeRock(), 5).closure)
  ])

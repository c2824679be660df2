import { it } from "@effect/vitest"
import { FastCheck } from "effect"
import { expect } from "vitest"
import { columns, type LivePoint, Ring } from "../../web/src/live/Ring.ts"

const at = (timestamp: number) => Object.fromEntries(columns.map((name) => [name, timestamp])) as LivePoint

it.prop(
  "the ring thins to values that stay the same while points arrive",
  {
    capacity: FastCheck.integer({ min: 1, max: 40 }),
    pushes: FastCheck.integer({ min: 0, max: 200 }),
    first: FastCheck.nat({ max: 10 }),
    stride: FastCheck.integer({ min: 1, max: 9 })
  },
  ({ capacity, first, pushes, stride }) => {
    const ring = new Ring(capacity, columns)
    for (let k = 0; k < pushes; k++) ring.push(at(k))
    const oldest = pushes - ring.length + Math.min(first, ring.length)
    const wanted = []
    for (let k = oldest; k < pushes; k++) if (k % stride === 0) wanted.push(k)
    expect([...ring.thinned("rpm", first, stride)]).toEqual(wanted)
  }
)

/** The guides of the connect form, and the documents from which they are made. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { folder, steps, titles } from "../../tools/docs/writeGuides.ts"
import { Drivers } from "../../src/simulators/Driver.ts"
import { layer } from "../../src/simulators/drivers/index.ts"

const written = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), "utf8"))

describe("the guides", () => {
  it("are those of the documents", () => {
    expect(written("titles.json")).toEqual(titles)
    expect(written("steps.json")).toEqual(steps)
  })

  it.effect("are there for every simulator, with its port; each game has steps", () =>
    Effect.gen(function* () {
      const known = yield* Effect.flatMap(Drivers, (drivers) => drivers.known)
      // Its games each have a guide.
      const own = known.filter(({ name }) => name !== "codemasters")
      expect(Object.keys(titles).sort()).toEqual(own.map(({ name }) => name))
      for (const { name, ports } of own) if (ports.length > 0) expect(ports).toContain(titles[name]!.port)
      expect(Object.keys(steps).sort()).toEqual(
        own.map(({ name }) => name).filter((name) => name !== "any" && name !== "native")
      )
      for (const html of Object.values(steps)) expect(html).toMatch(/<li>|<pre/)
    }).pipe(Effect.provide(Layer.provideMerge(layer, Drivers.layer)))
  )
})

import { expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { traced } from "../../src/observability/traced.ts"

const spanName = traced("Catalog.lap", () =>
  Effect.map(
    Effect.option(Effect.currentSpan),
    Option.map((span) => span.name)
  )
)

it.effect("a traced effect is a span of its name while there is a tracer", () =>
  Effect.gen(function* () {
    expect(yield* spanName()).toEqual(Option.some("Catalog.lap"))
    expect(yield* Effect.withTracerEnabled(spanName(), false)).toEqual(Option.none())
  })
)

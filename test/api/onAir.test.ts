/** The session on air: one rule, a client's choice, and live clients that learn of each change. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { inside, serviceInside } from "../support/inside.ts"
import { sending } from "../support/service.ts"
import { feedAt, speaking } from "./feeds.ts"
import { eventsOf, points, recording, seen, watching } from "./watching.ts"

const path = "/api/v1/on-air"

inside("the session on air is that of the oldest connection, then the newest, or the one chosen", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside({})
    const onAir = Effect.map(running.json(path), ({ body }) => body)
    expect(yield* onAir).toEqual({ mode: "auto", session_id: null })
    const client = yield* watching(running, "?events=on_air")
    const becomes = (session_id: number | null, mode = "auto") =>
      seen(() => {
        const last = eventsOf(client).at(-1)?.json as
          | { readonly session_id: number | null; readonly data: { readonly mode: string } }
          | undefined
        return last?.session_id === session_id && last.data.mode === mode
      })
    // A client gets it when it subscribes.
    yield* becomes(null)
    const [anna, ben] = [yield* speaking, yield* speaking]
    const first = yield* recording(running, anna)
    yield* becomes(first)
    const second = yield* recording(running, ben, "Ben")
    // Whoever sends more, it stays.
    for (let n = 0; n < 5; n++) yield* ben.say(points(n, 6, 60))
    expect(yield* onAir).toEqual({ mode: "auto", session_id: first })
    const end = ({ port }: typeof anna) =>
      running.json("/api/v1/disconnect", sending("POST", { host: feedAt(port).host, port }))
    yield* end(anna)
    yield* becomes(second)
    // Nothing runs: the newest stays.
    yield* end(ben)
    expect(yield* onAir).toEqual({ mode: "auto", session_id: second })

    expect(yield* running.json(path, sending("PUT", { mode: "session", session_id: first }))).toMatchObject({
      status: 200,
      body: { mode: "session", session_id: first }
    })
    yield* becomes(first, "session")
    for (const [body, status] of [
      [{ mode: "session", session_id: 77_777 }, 404],
      [{ mode: "session", session_id: 0 }, 422],
      [{ mode: "live" }, 422]
    ] as const) {
      expect((yield* running.json(path, sending("PUT", body))).status).toBe(status)
    }
    expect(yield* onAir).toEqual({ mode: "session", session_id: first })
    // Without an id the session on air stays, whatever begins later; with auto an id means nothing.
    expect((yield* running.json(path, sending("PUT", { mode: "auto", session_id: first }))).body).toEqual({
      mode: "auto",
      session_id: second
    })
    expect((yield* running.json(path, sending("PUT", { mode: "session" }))).body).toEqual({
      mode: "session",
      session_id: second
    })
    yield* running.json(path, sending("PUT", { mode: "session", session_id: first }))
    // A client that comes later gets it, too.
    const late = yield* watching(running, "?events=on_air&session_id=" + second)
    yield* seen(() => eventsOf(late).at(-1)?.json.session_id === first)
    // A deleted session is not on air.
    yield* running.json(`/api/v1/sessions/${first}`, { method: "DELETE" })
    expect(yield* onAir).toEqual({ mode: "auto", session_id: second })
    yield* running.json(path, sending("PUT", { mode: "auto" }))
    yield* becomes(second)
  })
)

import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import { expectSeenLive } from "./liveReplay.ts"
import * as Box from "../support/processes.ts"

it.scopedLive(
  "a live subscriber during a replay gets messages in order, the events it requested, and a close at the end",
  () =>
    Effect.gen(function* () {
      const service = yield* Box.startService(yield* Box.folder)
      const plain = yield* expectSeenLive(service)
      expect(yield* service.signal("SIGTERM")).toBe(0)
      expect(yield* plain.closed).toBe(1001)
    }),
  needing(recordingsHere)
)

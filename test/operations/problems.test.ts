/** The kinds and sentences of errors, and that REST and tRPC give each kind the same status, by tRPC's own table. */
import { expect, it } from "@effect/vitest"
import { TRPCError } from "@trpc/server"
import { getHTTPStatusCodeFromError } from "@trpc/server/http"
import { answerOf } from "../../src/api/problems.ts"
import * as Errors from "../../src/domain/errors.ts"
import { type ProblemKind, problemOf } from "../../src/operations/problems.ts"
import { codeOf } from "../../src/api/trpc/errors.ts"

it("a problem has the same status over REST and tRPC", () => {
  const kinds = Object.keys(codeOf) as ReadonlyArray<ProblemKind>
  expect(kinds.length).toBeGreaterThan(5)
  for (const kind of kinds) {
    const { status } = answerOf({ kind, sentence: "" })
    // tRPC has no code for 507. Files are sent over REST alone.
    if (kind === "noRoom") continue
    expect([kind, status]).toEqual([kind, getHTTPStatusCodeFromError(new TRPCError({ code: codeOf[kind] }))])
  }
})

const address = { host: "rig", port: 33_739 }
const damaged = { store: "sqlite", sessionId: 1, first: 60, last: 90.5, reason: "sum" }

it.each([
  [new Errors.SessionNotFound({ sessionId: 7 }), "notFound", "Session 7 was not found"],
  [new Errors.LapNotFound({ lapId: 7 }), "notFound", "Lap 7 was not found"],
  [new Errors.DriverNotFound({ driver: "No Body" }), "notFound", 'Driver "No Body" was not found'],
  [
    new Errors.ConnectionNotFound({ address: { host: "rig", port: 9 } }),
    "notFound",
    "No connection to rig:9 is kept"
  ],
  [new Errors.CircuitNotFound({ circuit: "Nowhere" }), "notFound", "Circuit Nowhere was not found"],
  [
    new Errors.LapsNotCut({ importId: 5, because: "not finished" }),
    "conflict",
    "Import 5 has not finished: send the .ldx file when it has"
  ],
  [
    new Errors.SessionBeingRecorded({ sessionId: 1 }),
    "conflict",
    "Session 1 is being recorded; disconnect its simulator first"
  ],
  [
    new Errors.AlreadyConnected({ address }),
    "conflict",
    "rig:33739 is already connected with other settings; disconnect it first"
  ],
  [
    new Errors.ConnectedElsewhere({ node: "a" }),
    "conflict",
    "Node a has this connection, and cannot be reached now; connect again in a moment"
  ],
  [
    new Errors.ConnectInterrupted({ address }),
    "conflict",
    "The connection to rig:33739 was ended before it was established"
  ],
  [
    new Errors.NotASimulator({ address, simulator: "native", reason: "no hello" }),
    "refused",
    "The program at rig:33739 does not speak the native protocol: no hello"
  ],
  [
    new Errors.SimulatorSilent({ address, seconds: 5, chosenByPort: "gt7" }),
    "silent",
    'The simulator at rig:33739 did not answer within 5 s. The request names no simulator, so port 33739 means gt7; to connect to another, name it in "simulator"'
  ],
  [
    new Errors.UnknownSimulator({ simulator: "doom", known: ["gt7", "native"] }),
    "invalid",
    "simulator must be one of gt7, native, got doom"
  ],
  [
    new Errors.NothingToForward({ simulator: "native" }),
    "invalid",
    "forward must be left out for native, which does not send over UDP"
  ],
  [
    new Errors.StoreUnavailable({ store: "catalog", cause: new Error("the disk is gone") }),
    "unavailable",
    "The catalog store cannot be reached; try again soon"
  ],
  [
    new Errors.PointsDamaged(damaged),
    "damaged",
    "Points of session 1 from 1970-01-01T00:01:00 to 1970-01-01T00:01:30.500 are damaged in the store; its other data can be read"
  ],
  [
    new Errors.ChannelsDamaged({ sessionId: 1 }),
    "damaged",
    "The channels of session 1 are damaged in the catalog"
  ]
])("%s", (error, kind, sentence) => expect(problemOf(error)).toMatchObject({ kind, sentence }))

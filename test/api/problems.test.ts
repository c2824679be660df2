/** Sentences of errors that explain more than their status. */
import { describe, expect, it } from "vitest"
import { SimulatorSilent, type UnexpectedTraffic } from "../../src/domain/errors.ts"
import { answerTo } from "../../src/api/problems.ts"

const silent = (traffic?: UnexpectedTraffic) => {
  const address = { host: "0.0.0.0", port: 5606 }
  return answerTo(new SimulatorSilent({ address, seconds: 5, ...(traffic && { heard: traffic }) }))
}

const SILENT = "The simulator at 0.0.0.0:5606 did not answer within 5 s"

describe("a simulator that did not answer", () => {
  it.each([
    ["where nothing came", undefined, ""],
    [
      "where one datagram came",
      { datagrams: 1, lengths: [7], hasOthers: false },
      "; 1 datagram of 7 bytes arrived that is not this simulator's"
    ],
    [
      "where datagrams of many lengths came",
      { datagrams: 90, lengths: [5, 6, 7], hasOthers: true },
      "; 90 datagrams of 5, 6, 7 and other lengths of bytes arrived that are not this simulator's"
    ],
    [
      "where they are known",
      {
        datagrams: 151,
        lengths: [1347, 1367],
        hasOthers: false,
        known: { game: "Project CARS 1", advice: "choose Project CARS 2" }
      },
      "; 151 datagrams of 1347 or 1367 bytes arrived that are not this simulator's, but Project CARS 1's: choose Project CARS 2"
    ]
  ] as const)("%s", (_, traffic, more) => {
    expect(silent(traffic)).toMatchObject({ status: 504, detail: SILENT + more })
  })
})

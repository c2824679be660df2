/** Sentences that name the cause when a simulator is not reached. */
import { expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { Host } from "../../src/domain/Configuration.ts"
import { SimulatorRefused } from "../../src/domain/errors.ts"
import { refusal } from "../../src/operations/refusal.ts"

const address = { host: "10.0.0.5", port: 33_739 }
const sentence = (reason: string, more: { readonly localPort?: number; readonly host?: string } = {}) => {
  const { host = address.host, ...local } = more
  return refusal(new SimulatorRefused({ address: { ...address, host }, reason, ...local }))
}

it("a refusal names a fault of this machine, such as a port that another program uses", () => {
  expect(sentence("EADDRINUSE", { localPort: 33_740 })).toMatch(
    /^UDP port 33740 of this machine is in use: another program listens there, such as another telemetry program/
  )
  expect(sentence("EACCES", { localPort: 80 })).toMatch(/^UDP port 80 of this machine may not be opened/)
  expect(sentence("EMFILE", { localPort: 80 })).toBe("UDP port 80 of this machine cannot be opened: EMFILE")
})

it("a refusal names an unknown host, and a missing route", () => {
  expect(sentence("ENOTFOUND", { host: "rig.lan" })).toBe(
    "There is no host named rig.lan: check its spelling"
  )
  expect(sentence("EAI_AGAIN", { host: "rig.lan" })).toMatch(/^The host name rig.lan could not be looked up/)
  expect(sentence("ENETUNREACH")).toBe(
    "This machine has no network route to 10.0.0.5:33739: check the address"
  )
})

it("a refusal has the answer of the simulator's machine", () => {
  const refused = "The simulator at 10.0.0.5:33739 refused the connection"
  expect(sentence("ECONNREFUSED")).toBe(`${refused}: no program listens there (ECONNREFUSED)`)
  expect(sentence("wrong password")).toBe(`${refused}: wrong password`)
})

const problem = (host: string) => {
  const read = Schema.decodeUnknownEither(Host)(host)
  return read._tag === "Left" ? read.left.message : undefined
}

it("a refusal explains how to write a host that contains a port", () => {
  for (const host of ["10.0.0.5", "rig.lan", "::1", "fe80::1%eth0", "::ffff:1.2.3.4", "2001:db8::7"]) {
    expect([host, problem(host)]).toEqual([host, undefined])
  }
  expect(problem("10.0.0.5:33739")).toBe(
    "must be a host name or an IP address alone (10.0.0.5, with 33739 as the port), got 10.0.0.5:33739"
  )
  expect(problem("[::1]:9000")).toContain("alone (::1, with 9000 as the port)")
  expect(problem("a b")).toBe('must be a host name or an IP address, got "a b"')
})

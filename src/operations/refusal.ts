/**
 * The sentence about a simulator that could not be reached, for all drivers. The system's codes show where the fault
 * is.
 */
import type { Address, SimulatorRefused } from "../domain/errors.ts"
import { shown } from "../domain/messages.ts"
import { addressOf } from "./sentences.ts"

const noHost = ({ host }: Address) => `There is no host named ${shown(host)}: check its spelling`

const noNameService = ({ host }: Address) =>
  `The host name ${shown(host)} could not be looked up: this machine cannot reach a name server; give the IP address instead`

const noWay = (address: Address) =>
  `This machine has no network route to ${addressOf(address)}: check the address`

/** Faults outside of the simulator, by codes of `getaddrinfo` and of sockets. */
const elsewhere: Readonly<Record<string, (address: Address) => string>> = {
  ENOTFOUND: noHost,
  EAI_NONAME: noHost,
  EAI_NODATA: noHost,
  EAI_AGAIN: noNameService,
  EAI_FAIL: noNameService,
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay
}

/** Why a UDP port of this machine could not be opened. */
const ofOwnPort: Readonly<Record<string, string>> = {
  EADDRINUSE: `is in use: another program listens there, such as another telemetry program, a dashboard, a motion platform's or a second instance of this service; end it, or have the game send to another port`,
  EACCES: "may not be opened by this user: choose one above 1023",
  EPERM: "may not be opened by this user",
  EADDRNOTAVAIL: "cannot be opened: this machine does not have that address"
}

/** Answers of the simulator's machine, in words if the system's code says little. */
const answers: Readonly<Record<string, string>> = {
  ECONNREFUSED: "no program listens there (ECONNREFUSED)",
  ECONNRESET: "it closed the connection (ECONNRESET)",
  ETIMEDOUT: "it did not answer (ETIMEDOUT)"
}

export const refusal = ({ address, localPort, reason }: SimulatorRefused): string => {
  const local = localPort === undefined ? undefined : (ofOwnPort[reason] ?? `cannot be opened: ${reason}`)
  if (local !== undefined) return `UDP port ${localPort} of this machine ${local}`
  const sentence = elsewhere[reason]
  if (sentence !== undefined) return sentence(address)
  return `The simulator at ${addressOf(address)} refused the connection: ${answers[reason] ?? reason}`
}

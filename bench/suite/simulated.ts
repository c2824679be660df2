import { type Program, type Service, startProgram, startService } from "./programs.ts"

export interface Simulated {
  readonly service: Service
  readonly simulator: Program
}

/** A service of its own, connected to a bundled simulator that `flags` set. */
export const simulated = (...flags: ReadonlyArray<string>): Promise<Simulated> => simulatedWith([], flags)

/** Has a service, or the plain program, listen to a bundled simulator of its own that speaks `protocol`. */
export const connected = async (
  url: string,
  flags: ReadonlyArray<string>,
  protocol = "native"
): Promise<Program> => {
  const simulator = await startProgram("../program/simulator/main.js", [
    "--port",
    "0",
    "--protocol",
    protocol,
    "--log-level",
    "warning",
    ...flags
  ])
  const { hostname, port } = new URL(simulator.line.replace("feed on ", ""))
  const answer = await fetch(`${url}/api/v1/connect`, {
    method: "POST",
    body: JSON.stringify({ host: hostname, port: Number(port), app_name: "bench", simulator: protocol })
  })
  if (!answer.ok) throw new Error(await answer.text())
  return simulator
}

/** The same as `simulated`; the service's Node has `nodeFlags`. */
export const simulatedWith = async (
  nodeFlags: ReadonlyArray<string>,
  flags: ReadonlyArray<string>
): Promise<Simulated> => {
  const service = await startService([], nodeFlags)
  return { service, simulator: await connected(service.url, flags) }
}

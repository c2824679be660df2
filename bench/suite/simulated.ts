import { type Program, type Service, startProgram, startService } from "./programs.ts"

export interface Simulated {
  readonly service: Service
  readonly simulator: Program
}

/** A service of its own, connected to a bundled simulator that `flags` set. */
export const simulated = (...flags: ReadonlyArray<string>): Promise<Simulated> => simulatedWith([], flags)

/** The same; the service's Node has `nodeFlags`. */
export const simulatedWith = async (
  nodeFlags: ReadonlyArray<string>,
  flags: ReadonlyArray<string>
): Promise<Simulated> => {
  const simulator = await startProgram("../program/simulator/main.js", ["--port", "0", ...flags])
  const service = await startService([], nodeFlags)
  const { hostname, port } = new URL(simulator.line.replace("feed on ", ""))
  const answer = await fetch(`${service.url}/api/v1/connect`, {
    method: "POST",
    body: JSON.stringify({ host: hostname, port: Number(port), app_name: "bench", simulator: "native" })
  })
  if (!answer.ok) throw new Error(await answer.text())
  return { service, simulator }
}

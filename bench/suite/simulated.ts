import { type Program, type Service, startProgram, startService } from "./programs.ts"

export interface Simulated {
  readonly service: Service
  readonly simulator: Program
}

/** A service of its own, connected to a bundled simulator with these `flags`. */
export const simulated = (...flags: ReadonlyArray<string>): Promise<Simulated> => simulatedWith([], flags)

/** Starts a bundled simulator that speaks `protocol`; port 0: any free one. It listens at its address. */
export const startSimulator = async (
  protocol: string,
  flags: ReadonlyArray<string>,
  port = 0
): Promise<Program & { readonly address: URL }> => {
  const simulator = await startProgram("../dist/program/simulator/main.js", [
    "--port",
    String(port),
    "--protocol",
    protocol,
    "--log-level",
    "warning",
    ...flags
  ])
  return { ...simulator, address: new URL(simulator.line.replace("feed on ", "")) }
}

/** Connects a service, or the plain program, to a simulator. */
export const connectTo = async (url: string, port: number, simulator: string): Promise<void> => {
  const answer = await fetch(`${url}/api/v1/connect`, {
    method: "POST",
    body: JSON.stringify({ host: "127.0.0.1", port, app_name: "bench", simulator })
  })
  if (!answer.ok) throw new Error(await answer.text())
}

/** Connects a service, or the plain program, to a bundled simulator of its own that speaks `protocol`. */
export const connected = async (
  url: string,
  flags: ReadonlyArray<string>,
  protocol = "native"
): Promise<Program> => {
  const simulator = await startSimulator(protocol, flags)
  await connectTo(url, Number(simulator.address.port), protocol)
  return simulator
}

/** The same as `simulated`, with `nodeFlags` for the service's Node. */
export const simulatedWith = async (
  nodeFlags: ReadonlyArray<string>,
  flags: ReadonlyArray<string>
): Promise<Simulated> => {
  const service = await startService([], nodeFlags)
  return { service, simulator: await connected(service.url, flags) }
}

/** Project CARS 2 and 3, and Automobilista 2: broadcast, in the protocol's version 2 (project-cars2-ams2-udp.md). */
import { listening } from "../../udp/listening.ts"
import type { PushProtocol } from "../../udp/Protocol.ts"
import { isProjectCars1, projectCars1 } from "./projectCars1.ts"
import { ProjectCars2Interpreter } from "./ProjectCars2Interpreter.ts"
import { recognises } from "./recognise.ts"

/** Fixed in the game. */
export const PORT = 5606

export const protocol: PushProtocol = {
  name: "project-cars-2",
  recognises,
  otherGame: (bytes) => (isProjectCars1(bytes) ? projectCars1 : undefined),
  interpreter: () => new ProjectCars2Interpreter()
}

export const layer = listening({
  name: "project-cars-2",
  ports: [PORT],
  protocols: [protocol],
  shared: true
})

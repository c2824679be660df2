import * as Configuration from "../../../operations/configuration.ts"
import { get, put, routes } from "../route.ts"

export const configuration = routes("configuration", {
  read: get("/config", Configuration.read, {
    summary: "Read the configuration",
    description: "Returns the configuration."
  }),
  update: put("/config", Configuration.update, {
    summary: "Replace the configuration",
    description: "Replaces the configuration. It is kept across restarts."
  }),
  circuits: get("/config/circuits", Configuration.circuits, {
    summary: "List the circuits",
    description: "Returns the names of the circuits that have a session, sorted."
  }),
  circuit: get("/config/circuits/:name", Configuration.circuit, {
    summary: "Describe a circuit and its corners",
    description:
      "Returns a circuit's corners: those that a user set, otherwise those of the known circuit that its laps match, otherwise those found in its laps."
  }),
  updateCircuit: put("/config/circuits/:name", Configuration.updateCircuit, {
    payload: Configuration.CircuitDetailsBody,
    takes: (details) => ({ details }),
    summary: "Name a circuit and number its corners",
    description:
      "Sets the name and the numbered corners of a circuit that has a session, for all comparisons from now on. Without corners, the service uses those of the known circuit, or finds them."
  }),
  vehicles: get("/config/vehicles", Configuration.vehicles, {
    summary: "List the vehicles",
    description: "Returns the names of the vehicles that have a session, sorted."
  })
})

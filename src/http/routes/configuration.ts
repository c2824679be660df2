import * as Configuration from "../../operations/configuration.ts"
import { get, put, routes } from "../route.ts"

export const configuration = routes("configuration", {
  read: get("/config", Configuration.read, {
    summary: "Read the configuration",
    description: "Returns the configuration."
  }),
  update: put("/config", Configuration.update, {
    summary: "Replace the configuration",
    description: "Replaces the configuration. The service keeps it across restarts."
  }),
  circuits: get("/config/circuits", Configuration.circuits, {
    summary: "List the circuits",
    description: "Lists the circuits that have a session, sorted by name."
  }),
  circuit: get("/config/circuits/:name", Configuration.circuit, {
    summary: "Describe a circuit and its corners",
    description:
      "Returns the circuit's corners: those that a user gave; else those of the known circuit that the laps match; else those found in the laps."
  }),
  updateCircuit: put("/config/circuits/:name", Configuration.updateCircuit, {
    payload: Configuration.CircuitDetailsBody,
    takes: (details) => ({ details }),
    summary: "Name a circuit and number its corners",
    description:
      "Sets the name and the corners of a circuit that has a session. All comparisons use them from now on. If `corners` is empty, the corners are again those of the known circuit, or those found in the laps."
  }),
  vehicles: get("/config/vehicles", Configuration.vehicles, {
    summary: "List the vehicles",
    description: "Lists the vehicles that have a session, sorted by name."
  })
})

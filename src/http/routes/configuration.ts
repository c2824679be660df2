import * as Configuration from "../../operations/configuration.ts"
import { get, put, routes } from "../route.ts"

export const configuration = routes("configuration", {
  read: get("/config", Configuration.read, {
    summary: "Read the configuration",
    description: "The configuration."
  }),
  update: put("/config", Configuration.update, {
    summary: "Replace the configuration",
    description: "Replaces the configuration, which is kept across restarts."
  }),
  circuits: get("/config/circuits", Configuration.circuits, {
    summary: "List the circuits",
    description: "The circuits that have a session, sorted."
  }),
  circuit: get("/config/circuits/:name", Configuration.circuit, {
    summary: "Describe a circuit and its corners",
    description:
      "A circuit's corners: those that a user gave; else those of the known circuit that its laps are of; else those found."
  }),
  updateCircuit: put("/config/circuits/:name", Configuration.updateCircuit, {
    payload: Configuration.CircuitDetailsBody,
    takes: (details) => ({ details }),
    summary: "Name a circuit and number its corners",
    description:
      "Names a circuit that has a session, and numbers its corners, in all comparisons from now on. Without corners they are known or found again."
  }),
  vehicles: get("/config/vehicles", Configuration.vehicles, {
    summary: "List the vehicles",
    description: "The vehicles that have a session, sorted."
  })
})

/** In CI a server that cannot be had is a failure, elsewhere its suites are skipped by name. */
export const mustHaveServers = process.env["CI"] === "true"

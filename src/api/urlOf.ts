/** The URL at which HTTP is served. */
export const urlOf = (host: string, port: number) =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`

/** The endings of known formats, by which folders are searched; the service recognises files by their content. */
export const ENDINGS = [
  ".ibt",
  ".duckdb",
  ".ld",
  ".ldx",
  ".ndjson",
  ".ndjson.gz",
  ".vbo",
  ".csv",
  ".gpx",
  ".pcap",
  ".pcapng",
  ".cap",
  ".f1pcap"
] as const

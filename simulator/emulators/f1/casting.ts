/** Ids of the games for our circuits, vehicles and drivers, which are invented. */

/** A somewhat similar real circuit for each of ours: ids of the games' table. */
const trackIds: ReadonlyMap<string, number> = new Map([
  // Silverstone: fast and flowing.
  ["Hollin Moor", 7],
  // Monaco: a street circuit.
  ["Port Averno", 5],
  // Austria: short.
  ["Cinder Bowl", 17],
  // Spa: up and down a mountain.
  ["Sankt Arven", 10],
  // Zandvoort: tight.
  ["Larkspur Park", 26]
])
const UNKNOWN_TRACK = -1

export const trackIdOf = (circuit: string): number => trackIds.get(circuit) ?? UNKNOWN_TRACK

/** Ferrari, McLaren, Haas. */
const teamIds: ReadonlyMap<string, number> = new Map([
  ["Kestrel GT-R3", 1],
  ["Merlin F-08", 8],
  ["Wren Cup", 7]
])
const GENERIC_TEAM = 41

export const teamIdOf = (vehicle: string): number => teamIds.get(vehicle) ?? GENERIC_TEAM

/** The player is the last of twenty in the field, so index 0 of the packets is another car. */
export const rivals: ReadonlyArray<string> = [
  "AMSEL",
  "BJÖRNSDÓTTIR",
  "CARDOSO",
  "DUVAL",
  "ESTÉVEZ",
  "FINCH",
  "GÄRTNER",
  "HALVORSEN",
  "IONESCU",
  "JANSKÝ",
  "KOWALCZYK",
  "LINDQVIST",
  "MARCHETTI",
  "NAKAGAWA",
  "O'ROURKE",
  "PEREIRA",
  "QUIST",
  "ROSSELLI",
  "ŠIMIĆ"
]
export const PLAYER = rivals.length

/** Circuits by the `trackId` of the Session packet, of all games since F1 23 (f1-udp-2023-2026.md, section 5). */
const names: ReadonlyMap<number, string> = new Map([
  [0, "Melbourne"],
  [1, "Paul Ricard"],
  [2, "Shanghai"],
  [3, "Sakhir (Bahrain)"],
  [4, "Catalunya"],
  [5, "Monaco"],
  [6, "Montreal"],
  [7, "Silverstone"],
  [8, "Hockenheim"],
  [9, "Hungaroring"],
  [10, "Spa"],
  [11, "Monza"],
  [12, "Singapore"],
  [13, "Suzuka"],
  [14, "Abu Dhabi"],
  [15, "Texas (COTA)"],
  [16, "Brazil (Interlagos)"],
  [17, "Austria (Red Bull Ring)"],
  [18, "Sochi"],
  [19, "Mexico"],
  [20, "Baku"],
  [21, "Sakhir short"],
  [22, "Silverstone short"],
  [23, "Texas short"],
  [24, "Suzuka short"],
  [25, "Hanoi"],
  [26, "Zandvoort"],
  [27, "Imola"],
  [28, "Portimao"],
  [29, "Jeddah"],
  [30, "Miami"],
  [31, "Las Vegas"],
  [32, "Losail (Qatar)"],
  [39, "Silverstone reverse"],
  [40, "Austria reverse"],
  [41, "Zandvoort reverse"],
  [42, "Madrid"]
])

const UNKNOWN = -1

/** "" where the game does not report it. */
export const trackName = (id: number): string => names.get(id) ?? (id === UNKNOWN ? "" : `Track ${id}`)

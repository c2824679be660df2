/**
 * Cars by the `teamId` of the Participants packet (f1-udp-2023-2026.md, section 5). In the game's own season the team alone
 * names the car; in other seasons and classes the season is added, so that laps in different cars stay apart.
 */

const season: ReadonlyArray<string> = [
  "Mercedes",
  "Ferrari",
  "Red Bull Racing",
  "Williams",
  "Aston Martin",
  "Alpine",
  "RB",
  "Haas",
  "McLaren",
  "Sauber"
]

/** Two teams had other names in the first game of the table, whatever format it sends. */
const season2023: ReadonlyArray<string> = season.with(6, "AlphaTauri").with(9, "Alfa Romeo")

const group = (first: number, what: string, teams: ReadonlyArray<string>) =>
  teams.map((team, n) => [first + n, `${team} ${what}`] as const)

const f1In2022 = season2023.with(2, "Red Bull")
const f1In2024 = season.with(2, "Red Bull")
const f2In2024 = [
  "ART",
  "Campos",
  "Rodin",
  "AIX",
  "Dams",
  "Hitech",
  "MP",
  "Prema",
  "Trident",
  "VAR",
  "Invicta"
]

/** By format 2026, whose ids have two bytes; of the season pack of F1 25. */
const inSeasonPack: ReadonlyArray<readonly [number, string]> = [
  ...group(465, "F2 2025", f2In2024),
  ...group(476, "2026", [...f1In2024.with(9, "Audi"), "Cadillac"]),
  [487, "My Team 2026"],
  [488, "F1 World 2026"],
  ...group(489, "F2 2026", f2In2024)
]

/** The formats before 2026 have one byte for an id, and send the remainder. */
const ONE_BYTE = 256

/** The career's own team has no id: 255 in one byte, 65535 in two. */
const NO_ID = 0xff
const NO_ID_2026 = 0xffff

const others: ReadonlyMap<number, string> = new Map([
  [41, "F1 generic"],
  [104, "My Team"],
  [NO_ID, "My Team"],
  [NO_ID_2026, "My Team"],
  [95, "Aston Martin DB11 V12"],
  [96, "Aston Martin Vantage F1 Edition"],
  [97, "Aston Martin Vantage Safety Car"],
  [98, "Ferrari F8 Tributo"],
  [99, "Ferrari Roma"],
  [100, "McLaren 720S"],
  [101, "McLaren Artura"],
  [102, "Mercedes-AMG GT Black Series Safety Car"],
  [103, "Mercedes-AMG GT R Pro"],
  [117, "Mercedes-AMG GT Black Series"],
  [128, "Konnersport 2022"],
  [129, "Konnersport"],
  [142, "APXGP 2024"],
  [154, "APXGP 2025"],
  [155, "Konnersport 2024"],
  ...group(85, "2020", [
    "Mercedes",
    "Ferrari",
    "Red Bull",
    "Williams",
    "Racing Point",
    "Renault",
    "AlphaTauri",
    "Haas",
    "McLaren",
    "Alfa Romeo"
  ]),
  ...group(106, "F2 2021", [
    "Prema",
    "Virtuosi",
    "Carlin",
    "Hitech",
    "ART",
    "MP",
    "Charouz",
    "Dams",
    "Campos",
    "BWT",
    "Trident"
  ]),
  ...group(118, "2022", f1In2022),
  ...group(130, "F2 2022", [
    "Prema",
    "Virtuosi",
    "Carlin",
    "MP",
    "Charouz",
    "Dams",
    "Campos",
    "VAR",
    "Trident",
    "Hitech",
    "ART"
  ]),
  ...group(143, "F2 2023", [
    "ART",
    "Campos",
    "Carlin",
    "PHM",
    "Dams",
    "Hitech",
    "MP",
    "Prema",
    "Trident",
    "VAR",
    "Virtuosi"
  ]),
  ...group(158, "F2 2024", f2In2024),
  ...group(185, "2024", f1In2024),
  ...inSeasonPack,
  ...inSeasonPack.map(([id, name]) => [id - ONE_BYTE, name] as const)
])

/** `gameYear`: two digits. */
export const vehicleName = (team: number, myTeam: boolean, gameYear: number): string =>
  myTeam ? "My Team" : ((gameYear <= 23 ? season2023 : season)[team] ?? others.get(team) ?? `Team ${team}`)

/**
 * Circuits with their official numbering: facts only, no line. Numbers, directions and names are those of the maps that
 * each circuit's races publish; `source` names the map, and what was measured here.
 *
 * Distances are the centroids of curvature of each corner, rounded to 5 m and scaled to the published length. They
 * count from the start of the measured line, which lies near the start line but need not lie on it: only the distances
 * between corners are used.
 *
 * A circuit is listed when each of its corners was found in measured data, with the direction that the map gives.
 */
import type { Direction } from "../../domain/analysis/comparison.ts"

export interface OfficialCorner {
  readonly number: number
  readonly direction: Direction
  /** m from the line. */
  readonly distance: number
  readonly name: string | null
}

export interface KnownCircuit {
  readonly name: string
  /** m, as published. */
  readonly length: number
  readonly driven: "clockwise" | "anticlockwise" | "figure of eight"
  readonly corners: ReadonlyArray<OfficialCorner>
  readonly source: string
}

type Row = readonly [distance: number, side: "L" | "R", name?: string]

/** Numbered from 1 in the order given. */
const corners = (...rows: ReadonlyArray<Row>): ReadonlyArray<OfficialCorner> =>
  rows.map(([distance, side, name], index) => ({
    number: index + 1,
    direction: side === "L" ? "left" : "right",
    distance,
    name: name ?? null
  }))

const onCentreLine = (map: string) =>
  `Numbers and directions: ${map}; distances: measured along the centre line of TUMFTM/racetrack-database`
const onLaps = (map: string, laps: string) =>
  `Numbers and directions: ${map}; distances: measured along the line that ${laps} drove`

export const knownCircuits: ReadonlyArray<KnownCircuit> = [
  {
    name: "Bahrain International Circuit",
    length: 5412,
    driven: "clockwise",
    source: onCentreLine("the map of the Bahrain Grand Prix"),
    corners: corners(
      [740, "R", "Michael Schumacher"],
      [840, "L"],
      [960, "R"],
      [1550, "R"],
      [1800, "L"],
      [1900, "R"],
      [2025, "L"],
      [2275, "R"],
      [2625, "L"],
      [2735, "L"],
      [3515, "L"],
      [3840, "R"],
      [4125, "R"],
      [4935, "R"],
      [5020, "R"]
    )
  },
  {
    name: "Suzuka Circuit",
    length: 5807,
    driven: "figure of eight",
    source: onCentreLine("the map of the Japanese Grand Prix"),
    corners: corners(
      [700, "R", "First Curve"],
      [850, "R", "Second Curve"],
      [1110, "L", "S Curves"],
      [1225, "R", "S Curves"],
      [1390, "L", "S Curves"],
      [1560, "R", "S Curves"],
      [1830, "L", "Dunlop"],
      [2300, "R", "Degner 1"],
      [2455, "R", "Degner 2"],
      [2780, "R"],
      [2925, "L", "Hairpin"],
      [3215, "R", "200R"],
      [3810, "L", "Spoon"],
      [3970, "L", "Spoon"],
      [4975, "L", "130R"],
      [5395, "R", "Casio Triangle"],
      [5450, "L", "Casio Triangle"],
      [5595, "R"]
    )
  },
  {
    name: "Red Bull Ring",
    length: 4318,
    driven: "clockwise",
    source: onCentreLine("the map of the Austrian Grand Prix"),
    corners: corners(
      [450, "R", "Niki Lauda"],
      [1095, "L"],
      [1390, "R", "Remus"],
      [2265, "R", "Schlossgold"],
      [2545, "R"],
      [2730, "L", "Rauch"],
      [3040, "L", "Würth"],
      [3210, "R"],
      [3785, "R", "Rindt"],
      [4010, "R", "Red Bull Mobile"]
    )
  },
  {
    name: "Silverstone Circuit",
    length: 5891,
    driven: "clockwise",
    source: onCentreLine("the map of the British Grand Prix"),
    corners: corners(
      [410, "R", "Abbey"],
      [635, "L", "Farm"],
      [895, "R", "Village"],
      [1050, "L", "The Loop"],
      [1250, "L", "Aintree"],
      [1980, "L", "Brooklands"],
      [2195, "R", "Luffield"],
      [2530, "R", "Woodcote"],
      [3100, "R", "Copse"],
      [3625, "L", "Maggotts"],
      [3720, "R", "Maggotts"],
      [3885, "L", "Becketts"],
      [4030, "R", "Becketts"],
      [4190, "L", "Chapel"],
      [5065, "R", "Stowe"],
      [5520, "L", "Vale"],
      [5600, "R", "Club"],
      [5780, "R", "Club"]
    )
  },
  {
    name: "Autodromo Nazionale Monza",
    length: 5793,
    driven: "clockwise",
    source: onCentreLine("the map of the Italian Grand Prix"),
    corners: corners(
      [930, "R", "Variante del Rettifilo"],
      [975, "L", "Variante del Rettifilo"],
      [1430, "R", "Curva Grande"],
      [2145, "L", "Variante della Roggia"],
      [2190, "R", "Variante della Roggia"],
      [2560, "R", "Lesmo 1"],
      [2885, "R", "Lesmo 2"],
      [3955, "L", "Variante Ascari"],
      [4060, "R", "Variante Ascari"],
      [4145, "L", "Variante Ascari"],
      [5265, "R", "Curva Alboreto"]
    )
  },
  {
    name: "Circuit de Spa-Francorchamps",
    length: 7004,
    driven: "clockwise",
    source: onCentreLine("the map of the Belgian Grand Prix"),
    corners: corners(
      [395, "R", "La Source"],
      [1055, "L", "Eau Rouge"],
      [1165, "R", "Raidillon"],
      [1290, "L", "Raidillon"],
      [2425, "R", "Les Combes"],
      [2510, "L", "Les Combes"],
      [2665, "R", "Malmedy"],
      [3070, "R", "Bruxelles"],
      [3305, "L"],
      [3845, "L", "Pouhon"],
      [4055, "L", "Pouhon"],
      [4525, "R", "Fagnes"],
      [4675, "L", "Fagnes"],
      [4960, "R", "Campus"],
      [5180, "R", "Paul Frère"],
      [5905, "L", "Blanchimont"],
      [6200, "L", "Blanchimont"],
      [6755, "R", "Bus Stop"],
      [6815, "L", "Bus Stop"]
    )
  },
  {
    name: "Road America",
    length: 6515,
    driven: "clockwise",
    source: onLaps("NASCAR's description of the 14 turns, turn by turn", "laps of Automobilista 2"),
    corners: corners(
      [665, "R"],
      [965, "R"],
      [1140, "R"],
      [1575, "R", "Moraine Sweep"],
      [2330, "L"],
      [2630, "L"],
      [2860, "R"],
      [3290, "L"],
      [3555, "R", "Carousel"],
      [3760, "R", "Carousel"],
      [4295, "R", "The Kink"],
      [5160, "R", "Canada Corner"],
      [5490, "L", "Bill Mitchell Bend"],
      [5795, "R"]
    )
  },
  {
    name: "Portland International Raceway",
    length: 3166,
    driven: "clockwise",
    source: onLaps("descriptions of IndyCar's 12 turns with the chicane", "a race car by GPS"),
    corners: corners(
      [300, "R", "Festival Curves"],
      [375, "L", "Festival Curves"],
      [495, "R", "Festival Curves"],
      [800, "R"],
      [945, "R"],
      [1155, "L"],
      [1385, "R"],
      [1540, "L"],
      [1780, "R"],
      [2360, "L"],
      [2530, "R"],
      [2650, "R"]
    )
  }
]

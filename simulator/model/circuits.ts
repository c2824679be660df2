/** The circuits of the bundled simulator, which are invented and imitate no real one. */

/** The outline of a circuit: straights between corners, each corner rounded. */
export interface CircuitDrawing {
  readonly name: string
  readonly character: string
  /** Corners in driving order: x and y (m) of where the two straights would meet, and the radius (m). */
  readonly corners: ReadonlyArray<readonly [x: number, y: number, radius: number]>
  /** Where the start line lies between the first corner and the second, 0..1 of the straight. */
  readonly start: number
  /** Half the width of the track, m. */
  readonly halfWidth: number
  /** Length of the transition from straight to bend, m. */
  readonly easing: number
  /** Heights (m) at equal distances from the start line around the lap. */
  readonly heights: ReadonlyArray<number>
}

export const drawings: ReadonlyArray<CircuitDrawing> = [
  {
    name: "Hollin Moor",
    character: "fast and flowing, 5.0 km",
    corners: [
      [1000, 0, 260],
      [-170, 0, 85],
      [-290, 370, 170],
      [-70, 580, 100],
      [-90, 850, 70],
      [270, 960, 110],
      [470, 715, 60],
      [690, 780, 90],
      [850, 1095, 55],
      [1175, 1005, 120],
      [1250, 625, 190],
      [1490, 370, 75],
      [1320, 45, 90]
    ],
    start: 0.45,
    halfWidth: 6.5,
    easing: 34,
    heights: [12, 12, 14, 19, 27, 31, 28, 22, 18, 21, 26, 24, 18, 15, 13, 12]
  },
  {
    name: "Port Averno",
    character: "a street circuit with right angles and a hairpin, 3.5 km",
    corners: [
      [-40, 0, 30],
      [640, -30, 24],
      [665, 165, 28],
      [880, 175, 22],
      [890, 430, 30],
      [590, 410, 32],
      [540, 290, 30],
      [400, 290, 30],
      [345, 470, 60],
      [300, 600, 30],
      [-30, 615, 15],
      [0, 555, 15],
      [215, 490, 26],
      [170, 270, 60],
      [-170, 220, 36]
    ],
    start: 0.4,
    halfWidth: 5,
    easing: 16,
    heights: [2, 2, 3, 6, 9, 11, 10, 7, 4, 3, 2, 2]
  },
  {
    name: "Cinder Bowl",
    character: "a short club circuit, 2.7 km",
    corners: [
      [-250, 0, 70],
      [540, 0, 75],
      [650, 240, 60],
      [430, 340, 45],
      [410, 525, 55],
      [130, 570, 32],
      [170, 300, 42],
      [-40, 235, 70],
      [-290, 300, 45]
    ],
    start: 0.45,
    halfWidth: 5.5,
    easing: 22,
    heights: [0, 0, -1, -3, -4, -2, 1, 3, 4, 2]
  },
  {
    name: "Sankt Arven",
    character: "a mountain road with hairpins and 70 m of height, 5.5 km",
    corners: [
      [0, -60, 110],
      [0, 690, 60],
      [270, 800, 60],
      [320, 1090, 90],
      [690, 1200, 22],
      [480, 880, 22],
      [850, 1080, 40],
      [1020, 860, 130],
      [1340, 900, 60],
      [1400, 600, 150],
      [1160, 380, 50],
      [1260, 140, 70],
      [980, -90, 80],
      [760, 160, 55],
      [520, 70, 70],
      [390, -230, 55],
      [70, -280, 75]
    ],
    start: 0.5,
    halfWidth: 5.5,
    easing: 26,
    heights: [0, 2, 8, 19, 33, 46, 58, 66, 70, 67, 58, 47, 40, 36, 27, 17, 9, 4, 1]
  },
  {
    name: "Larkspur Park",
    character: "a tight park circuit, 1.7 km, a lap in well under a minute",
    corners: [
      [-60, -10, 45],
      [360, -30, 32],
      [395, 130, 26],
      [240, 165, 24],
      [225, 260, 26],
      [350, 320, 30],
      [310, 430, 36],
      [60, 400, 45],
      [20, 210, 60],
      [-90, 150, 34]
    ],
    start: 0.45,
    halfWidth: 5,
    easing: 14,
    heights: [0, 0, 1, 2, 4, 5, 4, 2, 1, 0]
  }
]

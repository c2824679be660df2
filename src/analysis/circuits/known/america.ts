/** Circuits of North and South America. */
import { corners, type KnownCircuit, onLaps, onSessions } from "./KnownCircuit.ts"

export const american: ReadonlyArray<KnownCircuit> = [
  {
    name: "Road America",
    length: 6515,
    driven: "clockwise",
    source: onLaps("NASCAR's description of the 14 turns, turn by turn", "laps of Automobilista 2"),
    corners: corners(`
      665 R, 965 R, 1140 R, 1575 R Moraine Sweep, 2330 L, 2630 L, 2860 R, 3290 L, 3555 R Carousel,
      3760 R Carousel, 4295 R The Kink, 5160 R Canada Corner, 5490 L Bill Mitchell Bend, 5795 R
    `)
  },
  {
    name: "Portland International Raceway",
    length: 3166,
    driven: "clockwise",
    source: onLaps("descriptions of IndyCar's 12 turns with the chicane", "a race car by GPS"),
    corners: corners(`
      300 R Festival Curves, 375 L Festival Curves, 495 R Festival Curves, 800 R, 945 R, 1155 L, 1385 R,
      1540 L, 1780 R, 2360 L, 2530 R, 2650 R
    `)
  },
  {
    name: "Miami International Autodrome",
    length: 5412,
    driven: "anticlockwise",
    source: onSessions,
    corners: corners(`
      350 R, 450 L, 550 R, 1115 L, 1245 R, 1380 L, 1530 L, 1615 L, 2175 R, 2440 L, 3085 L, 3205 R, 3335 L,
      3415 L, 3450 R, 3540 L, 4865 L, 5020 L, 5225 R
    `)
  },
  {
    name: "Circuit Gilles-Villeneuve",
    length: 4361,
    driven: "clockwise",
    source: onSessions,
    corners: corners(`
      210 L Virage Senna, 305 R Virage Senna, 685 R, 745 L, 975 R, 1215 L, 1300 R, 1965 R, 2050 L,
      2660 R L'Épingle, 2785 L, 3165 R, 3860 R, 3900 L
    `)
  },
  {
    name: "Circuit of the Americas",
    length: 5513,
    driven: "anticlockwise",
    source: onSessions,
    corners: corners(`
      610 L, 860 R, 1125 L, 1215 R, 1310 L, 1450 R, 1685 L, 1845 R, 1935 L, 2140 L, 2540 L, 3735 L,
      3965 R, 4060 R, 4250 L, 4470 R, 4565 R, 4725 R, 5010 L, 5310 L
    `)
  },
  {
    name: "Autódromo Hermanos Rodríguez",
    length: 4304,
    driven: "clockwise",
    source: onSessions,
    corners: corners(`
      1155 R, 1240 L, 1300 R, 1995 L, 2070 R, 2220 R, 2555 L, 2655 R, 2750 L, 2940 R, 3030 L, 3600 R,
      3780 L, 3840 R, 3890 L, 3970 R, 4100 R
    `)
  },
  {
    name: "Autódromo José Carlos Pace, Interlagos",
    length: 4309,
    driven: "anticlockwise",
    source: onSessions,
    corners: corners(`
      325 L S do Senna, 420 R S do Senna, 630 L Curva do Sol, 1385 L Descida do Lago, 1555 L,
      2000 R Ferradura, 2120 R, 2305 R Laranjinha, 2430 L Pinheirinho, 2730 R Bico de Pato,
      2940 L Mergulho, 3230 L Junção, 3365 L, 3630 L, 4020 L
    `)
  },
  {
    name: "Las Vegas Strip Circuit",
    length: 6201,
    driven: "anticlockwise",
    source: onSessions,
    corners: corners(`
      255 L, 350 L, 540 R, 650 R, 1540 R, 1805 L, 2010 L, 2080 R, 2210 L, 2700 R, 2975 L, 3195 L, 3955 L,
      5145 L, 5185 R, 5265 L, 6040 L
    `)
  }
]

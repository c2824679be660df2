/** Circuits of Asia and Australia. */
import {
  corners,
  counted,
  F1_CIRCUITS,
  TUMFTM,
  type KnownCircuit,
  onCentreLine,
  onSessions
} from "./KnownCircuit.ts"

export const asian: ReadonlyArray<KnownCircuit> = [
  {
    name: "Bahrain International Circuit",
    length: 5412,
    driven: "clockwise",
    source: onCentreLine("the map of the Bahrain Grand Prix"),
    corners: corners(`
      740 R Michael Schumacher, 840 L, 960 R, 1550 R, 1800 L, 1900 R, 2025 L, 2275 R, 2625 L, 2735 L,
      3515 L, 3840 R, 4125 R, 4935 R, 5020 R
    `)
  },
  {
    name: "Suzuka Circuit",
    length: 5807,
    driven: "figure of eight",
    source: onCentreLine("the map of the Japanese Grand Prix"),
    corners: corners(`
      700 R First Curve, 850 R Second Curve, 1110 L S Curves, 1225 R S Curves, 1390 L S Curves,
      1560 R S Curves, 1830 L Dunlop, 2300 R Degner 1, 2455 R Degner 2, 2780 R, 2925 L Hairpin,
      3215 R 200R, 3810 L Spoon, 3970 L Spoon, 4975 L 130R, 5395 R Casio Triangle, 5450 L Casio Triangle,
      5595 R
    `)
  },
  {
    name: "Albert Park Circuit",
    site: "Albert Park",
    length: 5278,
    driven: "clockwise",
    source: onSessions,
    corners: corners(`
      325 R, 425 L, 1060 R, 1200 L, 1420 R, 1850 R, 1940 L, 2175 R, 3275 L, 3410 R, 4085 R, 4355 R,
      4605 L, 4765 R
    `)
  },
  {
    name: "Albert Park Circuit, 1996 to 2020",
    site: "Albert Park",
    length: 5303,
    driven: "clockwise",
    source: counted(TUMFTM),
    corners: corners(`
      375 R, 485 L, 1110 R, 1250 L, 1470 R, 1895 R, 1985 L, 2215 R, 2565 R, 2640 L, 3365 L, 3490 R, 4175 R,
      4435 R, 4685 L, 4835 R
    `),
    sharp: { 9: 55, 10: 40 }
  },
  {
    name: "Shanghai International Circuit",
    length: 5451,
    driven: "clockwise",
    source: onSessions,
    corners: corners(`
      525 R, 715 R, 860 L, 985 L, 1300 R, 1550 R, 2015 L, 2315 R, 2510 L, 2620 L, 3105 L, 3190 R, 3385 R,
      4755 R, 4830 R, 5125 L
    `)
  },
  {
    name: "Jeddah Corniche Circuit",
    length: 6174,
    driven: "anticlockwise",
    source: onSessions,
    corners: corners(`
      430 L, 495 R, 640 L, 950 L, 1050 R, 1225 L, 1325 L, 1410 R, 1565 R, 1660 L, 1770 R, 1860 L, 2380 L,
      2705 R, 2945 L, 3040 R, 3140 L, 3355 L, 3545 R, 3770 L, 3980 R, 4240 L, 4345 R, 4485 R, 4750 L,
      5110 L, 5515 L
    `)
  },
  {
    name: "Baku City Circuit",
    length: 6003,
    driven: "anticlockwise",
    source: onSessions,
    corners: corners(`
      270 L, 610 L, 1485 L, 1710 R, 2050 L, 2105 R, 2500 R, 2690 L, 2720 R, 2750 L, 2800 R, 2865 L,
      3270 L, 3485 L, 3720 L, 4070 L, 4260 R, 4510 L, 4655 R, 5005 R
    `)
  },
  {
    name: "Marina Bay Street Circuit",
    site: "Marina Bay",
    length: 4940,
    driven: "anticlockwise",
    source: onSessions,
    corners: corners(`
      380 L, 455 R, 540 L, 665 L, 945 R, 1385 R, 1760 L, 1975 R, 2180 L, 2625 L, 2750 R, 2840 L, 3035 L,
      3575 R, 3820 L, 4315 R, 4380 L, 4670 L, 4770 L
    `)
  },
  {
    name: "Marina Bay Street Circuit, 2015 to 2022",
    site: "Marina Bay",
    length: 5063,
    driven: "anticlockwise",
    source: counted(F1_CIRCUITS),
    corners: corners(`
      115 L, 180 R, 265 L, 385 L, 665 R, 1125 R, 1475 L, 1690 R, 1895 L, 2335 L, 2455 R, 2535 L, 2755 L,
      3320 R, 3575 L, 3660 R, 3745 L, 3955 L, 4045 R, 4175 R, 4245 L, 4540 L, 4645 L
    `)
  },
  {
    name: "Lusail International Circuit",
    length: 5419,
    driven: "clockwise",
    source: onSessions,
    corners: corners(`
      775 R, 1065 L, 1290 R, 1705 R, 1870 R, 2175 L, 2585 R, 2780 L, 2915 R, 3135 L, 3450 L, 3760 R,
      3955 R, 4165 R, 4485 L, 4945 R
    `)
  },
  {
    name: "Yas Marina Circuit",
    site: "Yas Marina",
    length: 5281,
    driven: "anticlockwise",
    source: onSessions,
    corners: corners(`
      355 L, 600 L, 815 R, 1020 L, 1405 L, 2610 L, 2675 R, 2875 L, 3690 L, 4055 R, 4195 R, 4325 R, 4440 L,
      4560 L, 4845 R, 5065 R
    `)
  },
  {
    name: "Yas Marina Circuit, 2009 to 2020",
    site: "Yas Marina",
    length: 5554,
    driven: "anticlockwise",
    source: onSessions,
    corners: corners(`
      360 L, 600 L, 810 R, 1025 L, 1280 L, 1335 R, 1485 L, 2735 L, 2795 R, 3070 L, 3760 L, 3825 R, 3870 L,
      4010 L, 4305 R, 4455 R, 4585 R, 4705 L, 4825 L, 5120 R, 5340 R
    `)
  }
]

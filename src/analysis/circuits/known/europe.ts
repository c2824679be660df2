/** Circuits of Europe, with those of Istanbul and Sochi. */
import { corners, counted, F1_CIRCUITS, type KnownCircuit, onCentreLine, onSessions } from "./KnownCircuit.ts"

export const european: ReadonlyArray<KnownCircuit> = [
  {
    name: "Red Bull Ring",
    length: 4318,
    driven: "clockwise",
    source: onCentreLine("the map of the Austrian Grand Prix"),
    corners: corners(`
      450 R Niki Lauda, 1095 L, 1390 R Remus, 2265 R Schlossgold, 2545 R, 2730 L Rauch, 3040 L Würth,
      3210 R, 3785 R Rindt, 4010 R Red Bull Mobile
    `)
  },
  {
    name: "Silverstone Circuit",
    length: 5891,
    driven: "clockwise",
    source: onCentreLine("the map of the British Grand Prix"),
    corners: corners(`
      410 R Abbey, 635 L Farm, 895 R Village, 1050 L The Loop, 1250 L Aintree, 1980 L Brooklands,
      2195 R Luffield, 2530 R Woodcote, 3100 R Copse, 3625 L Maggotts, 3720 R Maggotts, 3885 L Becketts,
      4030 R Becketts, 4190 L Chapel, 5065 R Stowe, 5520 L Vale, 5600 R Club, 5780 R Club
    `)
  },
  {
    name: "Autodromo Nazionale Monza",
    length: 5793,
    driven: "clockwise",
    source: onCentreLine("the map of the Italian Grand Prix"),
    corners: corners(`
      930 R Variante del Rettifilo, 975 L Variante del Rettifilo, 1430 R Curva Grande,
      2145 L Variante della Roggia, 2190 R Variante della Roggia, 2560 R Lesmo 1, 2885 R Lesmo 2,
      3955 L Variante Ascari, 4060 R Variante Ascari, 4145 L Variante Ascari, 5265 R Curva Alboreto
    `)
  },
  {
    name: "Circuit de Spa-Francorchamps",
    length: 7004,
    driven: "clockwise",
    source: onCentreLine("the map of the Belgian Grand Prix"),
    corners: corners(`
      395 R La Source, 1055 L Eau Rouge, 1165 R Raidillon, 1290 L Raidillon, 2425 R Les Combes,
      2510 L Les Combes, 2665 R Malmedy, 3070 R Bruxelles, 3305 L, 3845 L Pouhon, 4055 L Pouhon,
      4525 R Fagnes, 4675 L Fagnes, 4960 R Campus, 5180 R Paul Frère, 5905 L Blanchimont,
      6200 L Blanchimont, 6755 R Bus Stop, 6815 L Bus Stop
    `)
  },
  {
    name: "Circuit de Monaco",
    length: 3337,
    driven: "clockwise",
    source: onSessions,
    corners: corners(`
      165 R Sainte Dévote, 540 R Beau Rivage, 725 L Massenet, 855 R Casino, 1090 R Mirabeau Haute,
      1215 L Grand Hotel Hairpin, 1300 R Mirabeau Bas, 1390 R Portier, 1710 R Tunnel,
      2040 L Nouvelle Chicane, 2075 R Nouvelle Chicane, 2340 L Tabac, 2475 L Louis Chiron,
      2550 R Louis Chiron, 2640 R Piscine, 2675 L Piscine, 2760 L, 2880 R La Rascasse,
      2965 R Anthony Noghes
    `)
  },
  {
    name: "Autodromo Enzo e Dino Ferrari, Imola",
    length: 4909,
    driven: "anticlockwise",
    source: onSessions,
    corners: corners(`
      215 R, 870 L Tamburello, 940 R Tamburello, 1075 L Tamburello, 1510 L Villeneuve, 1595 R Villeneuve,
      1895 L Tosa, 2285 R, 2520 L Piratella, 2680 L, 2920 R Acque Minerali, 3030 R Acque Minerali,
      3100 L Acque Minerali, 3535 R Variante Alta, 3570 L Variante Alta, 4135 R, 4325 L Rivazza,
      4450 L Rivazza, 4785 R
    `)
  },
  {
    name: "Circuit de Barcelona-Catalunya",
    site: "Barcelona-Catalunya",
    length: 4657,
    driven: "clockwise",
    source: onSessions,
    corners: corners(`
      800 R Elf, 900 L, 1140 R Renault, 1715 R Repsol, 2090 L Seat, 2340 L, 2515 L, 2600 R, 2875 R Campsa,
      3470 L La Caixa, 3600 L, 3735 R Banc Sabadell, 4030 R, 4320 R
    `)
  },
  {
    name: "Circuit de Barcelona-Catalunya, with the chicane",
    site: "Barcelona-Catalunya",
    length: 4675,
    driven: "clockwise",
    source: onSessions,
    corners: corners(`
      795 R Elf, 890 L, 1145 R Renault, 1700 R Repsol, 2085 L Seat, 2330 L, 2510 L, 2595 R, 2875 R Campsa,
      3460 L La Caixa, 3585 L, 3755 R Banc Sabadell, 4000 R, 4130 L, 4175 R, 4335 R
    `)
  },
  {
    name: "Hungaroring",
    length: 4381,
    driven: "clockwise",
    source: onSessions,
    corners: corners(`
      610 R, 1120 L, 1310 R, 1785 L, 2025 R, 2360 R, 2405 L, 2570 L, 2710 R, 2910 L, 3095 R, 3510 R,
      3785 L, 4085 R
    `)
  },
  {
    name: "Circuit Zandvoort",
    length: 4259,
    driven: "clockwise",
    source: onSessions,
    corners: corners(`
      345 R Tarzan, 665 R Gerlach, 820 L Hugenholtz, 1040 R Hunserug, 1220 L, 1390 R, 1685 R Scheivlak,
      2010 R, 2235 R, 2490 L, 3070 R Hans Ernst, 3165 L Hans Ernst, 3490 R, 3765 R Arie Luyendyk
    `)
  },
  {
    name: "Hockenheimring",
    length: 4574,
    driven: "clockwise",
    source: onSessions,
    corners: corners(`
      285 R Nordkurve, 865 R, 915 R, 1000 L, 1520 L Parabolika, 2125 R Spitzkehre, 2565 R, 2855 L, 2935 L,
      3025 R, 3085 R, 3485 R Mobil 1, 3825 L Sachs, 3975 L, 4050 R, 4165 R, 4310 R Südkurve
    `)
  },
  {
    name: "Nürburgring Grand Prix circuit",
    length: 5148,
    driven: "clockwise",
    source: onSessions,
    corners: corners(`
      615 R, 810 L, 1065 L, 1175 R, 1675 L, 1840 R, 2450 R Dunlop, 2850 L Michael-Schumacher-S,
      2960 R Michael-Schumacher-S, 3395 L, 3605 R, 4040 R, 4500 L NGK Chicane, 4540 R NGK Chicane,
      4835 R Coca-Cola
    `)
  },
  {
    name: "Circuit Paul Ricard",
    length: 5842,
    driven: "clockwise",
    source: onSessions,
    corners: corners(`
      410 L Verrerie, 505 R Verrerie, 1080 R, 1175 L, 1290 R, 1425 R, 1670 L, 2740 L, 2830 R,
      3680 R Signes, 4200 R Beausset, 4625 L, 4865 R, 5115 L, 5280 R Pont
    `)
  },
  {
    name: "Autódromo Internacional do Algarve",
    length: 4653,
    driven: "clockwise",
    source: onSessions,
    corners: corners(`
      650 R, 810 R, 975 R, 1120 L, 1700 L, 1945 L, 2170 R, 2325 R, 2690 L, 2925 R, 3010 R, 3225 L, 3445 L,
      3665 R, 4110 R
    `)
  },
  {
    name: "Autodromo Internazionale del Mugello",
    length: 5245,
    driven: "clockwise",
    source: counted(F1_CIRCUITS),
    corners: corners(`
      740 R San Donato, 975 L Luco, 1110 R Poggio Secco, 1510 L Materassi, 1615 R Borgo San Lorenzo,
      1960 R Casanova, 2125 L Savelli, 2420 R Arrabbiata 1, 2680 R Arrabbiata 2, 3055 R Scarperia,
      3180 L Palagio, 3645 R Correntaio, 3900 L Biondetti, 3995 R Biondetti, 4530 L Bucine
    `)
  },
  {
    name: "Istanbul Park",
    length: 5338,
    driven: "anticlockwise",
    source: onSessions,
    corners: corners(`
      420 L, 785 R, 1160 L, 1310 R, 1460 L, 1565 L, 2065 R, 2700 L, 3450 L, 3535 R, 4070 R, 4840 L,
      4935 R, 5050 L
    `)
  },
  {
    name: "Sochi Autodrom",
    length: 5848,
    driven: "clockwise",
    source: onSessions,
    corners: corners(`
      410 R, 1170 R, 1625 L, 2035 R, 2480 R, 2745 R, 2910 R, 3215 L, 3315 L, 3595 R, 4065 R, 4495 L,
      4715 R, 4830 L, 5085 L, 5180 R, 5560 R, 5725 R
    `)
  }
]

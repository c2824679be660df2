/**
 * Readable names of raw ones that games report. Only names about which there is no doubt: users add their own (Mark.ts).
 *
 * Assetto Corsa reports the names of its folders, and a layout of a circuit as "folder - layout".
 */

/** Those of the game itself, by its folders `content/tracks` and `content/cars`. */
const assettoCorsa: ReadonlyArray<readonly [raw: string, name: string]> = [
  ["imola", "Imola"],
  ["magione", "Magione"],
  ["monza", "Monza"],
  ["mugello", "Mugello"],
  ["spa", "Spa-Francorchamps"],
  ["ks_barcelona", "Barcelona"],
  ["ks_brands_hatch", "Brands Hatch"],
  ["ks_laguna_seca", "Laguna Seca"],
  ["ks_nordschleife", "Nordschleife"],
  ["ks_nurburgring", "N\u00fcrburgring"],
  ["ks_red_bull_ring", "Red Bull Ring"],
  ["ks_silverstone", "Silverstone"],
  ["ks_vallelunga", "Vallelunga"],
  ["ks_zandvoort", "Zandvoort"],
  ["abarth500", "Abarth 500"],
  ["bmw_m3_e30", "BMW M3 E30"],
  ["bmw_m3_gt2", "BMW M3 GT2"],
  ["bmw_z4_gt3", "BMW Z4 GT3"],
  ["ferrari_458_gt2", "Ferrari 458 GT2"],
  ["ks_lamborghini_huracan_gt3", "Lamborghini Hurac\u00e1n GT3"],
  ["ks_mazda_mx5_cup", "Mazda MX-5 Cup"],
  ["ks_mclaren_650_gt3", "McLaren 650S GT3"],
  ["ks_nissan_gtr_gt3", "Nissan GT-R GT3"],
  ["ks_porsche_911_gt3_r_2016", "Porsche 911 GT3 R 2016"]
]

export const knownNames: ReadonlyArray<{ readonly raw: string; readonly name: string }> = assettoCorsa.map(
  ([raw, name]) => ({ raw, name })
)

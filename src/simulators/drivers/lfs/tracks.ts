/** Tracks of Live for Speed by code (sheet lfs-insim-outgauge-outsim, section 9). */
const tracks: ReadonlyMap<string, string> = new Map([
  ["BL1", "Blackwood GP"],
  ["BL2", "Blackwood Historic"],
  ["BL3", "Blackwood Rallycross"],
  ["BL4", "Blackwood Car Park"],
  ["SO1", "South City Classic"],
  ["SO2", "South City Sprint 1"],
  ["SO3", "South City Sprint 2"],
  ["SO4", "South City Long"],
  ["SO5", "South City Town Course"],
  ["SO6", "South City Chicane Route"],
  ["SO7", "South City"],
  ["FE1", "Fern Bay Club"],
  ["FE2", "Fern Bay Green"],
  ["FE3", "Fern Bay Gold"],
  ["FE4", "Fern Bay Black"],
  ["FE5", "Fern Bay Rallycross"],
  ["FE6", "Fern Bay Rallycross Green"],
  ["AU1", "Autocross"],
  ["AU2", "Skid Pad"],
  ["AU3", "Drag Strip"],
  ["AU4", "8 Lane Drag"],
  ["KY1", "Kyoto Oval"],
  ["KY2", "Kyoto National"],
  ["KY3", "Kyoto GP Long"],
  ["KY4", "Kyoto Endurance"],
  ["KY5", "Kyoto North"],
  ["KY6", "Kyoto Oval Chicanes"],
  ["KY7", "Kyoto Sportscar"],
  ["KY8", "Kyoto Kart Indy"],
  ["WE1", "Westhill National"],
  ["WE2", "Westhill International"],
  ["WE3", "Westhill Car Park"],
  ["WE4", "Westhill Karting"],
  ["WE5", "Westhill Karting National"],
  ["WE6", "Westhill Historic"],
  ["WE7", "Westhill National Chicane"],
  ["AS1", "Aston Cadet"],
  ["AS2", "Aston Club"],
  ["AS3", "Aston National"],
  ["AS4", "Aston Historic"],
  ["AS5", "Aston Grand Prix"],
  ["AS6", "Aston Grand Touring"],
  ["AS7", "Aston North"],
  ["AS8", "Aston Classic Boot"],
  ["AS9", "Aston Club Long"],
  ["RO1", "Rockingham ISSC"],
  ["RO2", "Rockingham National"],
  ["RO3", "Rockingham Oval"],
  ["RO4", "Rockingham ISSC Long"],
  ["RO5", "Rockingham Lake"],
  ["RO6", "Rockingham Handling"],
  ["RO7", "Rockingham International"],
  ["RO8", "Rockingham Historic"],
  ["RO9", "Rockingham Historic Short"],
  ["RO10", "Rockingham International Long"],
  ["RO11", "Rockingham Sportscar"],
  ["LA1", "Layout Square 1"],
  ["LA2", "Layout Square 2"]
])

/** Two letters and a number, then the variant. */
const CODE = /^([A-Z]{2}\d+)([RXY]?)$/

const SUFFIXES: Readonly<Record<string, string>> = {
  "": "",
  R: " reversed",
  X: " open X",
  Y: " open Y"
}

/** The name of a track code such as "BL1R"; an unknown code is its own name. */
export const trackName = (code: string): string => {
  const [, track = "", suffix = ""] = CODE.exec(code) ?? []
  const name = tracks.get(track)
  return name === undefined ? code : `${name}${SUFFIXES[suffix]}`
}

/** Cars of Live for Speed by code (sheet lfs-insim-outgauge-outsim, section 9). */
const cars: ReadonlyMap<string, string> = new Map([
  ["UF1", "UF 1000"],
  ["XFG", "XF GTI"],
  ["XRG", "XR GT"],
  ["XRT", "XR GT Turbo"],
  ["RB4", "RB4 GT"],
  ["FXO", "FXO Turbo"],
  ["LX4", "LX4"],
  ["LX6", "LX6"],
  ["RAC", "RA"],
  ["FZ5", "FZ50"],
  ["MRT", "MRT5"],
  ["XFR", "XF GTR"],
  ["UFR", "UF GTR"],
  ["FOX", "Formula XR"],
  ["FO8", "Formula V8"],
  ["BF1", "BMW Sauber F1.06"],
  ["FXR", "FXO GTR"],
  ["XRR", "XR GTR"],
  ["FZR", "FZ50 GTR"],
  ["FBM", "Formula BMW FB02"]
])

const isAlphanumeric = (byte: number): boolean => /^[0-9A-Za-z]$/.test(String.fromCharCode(byte))

/**
 * A CName as text: three letters or digits and a zero are the code of a car of the game; anything else is a mod, whose
 * number is in the first three bytes, lowest first, and is shown in hexadecimal.
 */
export const carCode = (bytes: Uint8Array): string => {
  const letters = bytes.subarray(0, 3)
  return bytes[3] === 0 && letters.every(isAlphanumeric)
    ? String.fromCharCode(...letters)
    : Array.from(letters, (byte) => byte.toString(16).padStart(2, "0"))
        .reverse()
        .join("")
        .toUpperCase()
}

/** The inverse. */
export const carBytes = (code: string): Buffer =>
  code.length === 6 ? Buffer.from(code, "hex").reverse() : Buffer.from(code, "latin1")

/** An unknown code, such as a mod's, is its own name. */
export const carName = (code: string): string => cars.get(code) ?? code

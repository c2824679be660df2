/** Numbers from 0 to 1, evenly spread and always the same for a seed. */
export const uniform = (seed: number): (() => number) => {
  let state = seed
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
}

/** Nearly normal, of deviation 1: the sum of twelve less six. */
export const bell = (next: () => number): number => {
  let sum = -6
  for (let i = 0; i < 12; i++) sum += next()
  return sum
}

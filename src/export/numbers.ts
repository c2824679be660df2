/** The shortest decimal that reads back as the same double; -0 keeps its sign, which String drops. */
export const decimal = (value: number): string => (value === 0 && 1 / value < 0 ? "-0" : String(value))

const times = Number(process.env["TELEMETRY_TEST_ROUNDS"] ?? 1)

/** How many cases a property looks at: so many, and ten times as many in `npm run test:long`. */
export const runs = (count: number): number => Math.ceil(count * times)

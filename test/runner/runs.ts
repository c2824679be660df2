const times = Number(process.env["TELEMETRY_TEST_CASES"] ?? 1)

/** How many cases a property looks at: so many, and four times as many in `npm run test:long`. */
export const runs = (count: number): number => Math.ceil(count * times)

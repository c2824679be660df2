/** Cases of expensive tests: `npm test` runs some of them, `npm run test:long` all. */
const times = Number(process.env["TELEMETRY_TEST_CASES"] ?? 1)

/** Whether this is `npm run test:long`. */
export const thorough = times > 1

/** The number of cases of a property: `count`, and four times as many in `npm run test:long`. */
export const runs = (count: number): number => Math.ceil(count * times)

/** The first `count` of all cases, and all of them in `npm run test:long`. */
export const some = <Case>(all: ReadonlyArray<Case>, count: number): ReadonlyArray<Case> =>
  thorough ? all : all.slice(0, count)

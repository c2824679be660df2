/**
 * Garage61's CSV: one lap, whose rows have no time: they are 60 Hz (formats.md, 3.6). Units and signs are iRacing's. Its
 * accelerations contain gravity, and no pitch or roll is there to take it out: they keep their own names.
 */
import { csvCells } from "../../tables/csv.ts"
import { WholeLap } from "../../tables/WholeLap.ts"
import type { CsvColumn, CsvHead } from "./csvRows.ts"
import { type Layout, type TableHead, undated } from "./Layout.ts"

const RATE = 60
const toRight = (radians: number) => (-radians * 180) / Math.PI
const FRACTION = "LapDistPct"

const known: Readonly<Record<string, Omit<CsvColumn, "name">>> = {
  Speed: { channel: "speed", unit: "m/s" },
  [FRACTION]: { channel: "lap_fraction", unit: "" },
  Lat: { channel: "latitude", unit: "deg" },
  Lon: { channel: "longitude", unit: "deg" },
  Brake: { channel: "brake", unit: "" },
  Throttle: { channel: "throttle", unit: "" },
  RPM: { channel: "rpm", unit: "rpm" },
  SteeringWheelAngle: { channel: "steering_angle", unit: "rad", convert: toRight },
  Gear: { channel: "gear", unit: "" },
  Clutch: { channel: "clutch", unit: "", convert: (engaged) => 1 - engaged },
  ABSActive: { channel: "abs_active", unit: "" },
  DRSActive: { channel: "drs_open", unit: "" },
  LatAccel: { unit: "m/s^2" },
  LongAccel: { unit: "m/s^2" },
  VertAccel: { unit: "m/s^2" },
  Yaw: { unit: "rad" },
  YawRate: { channel: "yaw_rate", unit: "rad/s", convert: toRight }
}

const head = (table: TableHead): CsvHead | undefined => {
  const first = table.lines[0] ?? ""
  if (!/^Speed,LapDistPct,Lat,Lon\b/.test(first)) return undefined
  const names = csvCells(first)
  // Le Mans Ultimate's angle is a share of the lock, whose sign is not known.
  const isShare = names.includes("OffAsphalt")
  const { warnings, zero } = undated(table, 0)
  return {
    separator: ",",
    columns: names.map((name) => ({
      name,
      ...(isShare && name === "SteeringWheelAngle" ? { unit: "" } : (known[name] ?? { unit: "" }))
    })),
    lines: 1,
    time: { rate: RATE },
    zero,
    circuit: "",
    vehicle: "",
    driver: "",
    prefix: "garage61",
    laps: (start) => new WholeLap(names.indexOf(FRACTION), start),
    warnings: [`The table has no times: its rows are taken as ${RATE} a second`, ...warnings]
  }
}

export const layout: Layout = { format: "garage61", title: "Garage61 CSV (.csv)", head }

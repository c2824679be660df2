/** The ports of one catalog as one record: for tests that fill a catalog and look into it, or replace it. */
import { Context, Effect, Layer } from "effect"
import { Changes } from "../../src/store/Changes.ts"
import { Circuits } from "../../src/store/Circuits.ts"
import { Configurations } from "../../src/store/Configurations.ts"
import { Connections } from "../../src/store/Connections.ts"
import { Deletions } from "../../src/store/Deletions.ts"
import { Dictionaries } from "../../src/store/Dictionaries.ts"
import { FileImports } from "../../src/store/FileImports.ts"
import { Laps } from "../../src/store/Laps.ts"
import { Marks } from "../../src/store/Marks.ts"
import { Sessions } from "../../src/store/Sessions.ts"
import { Statistics } from "../../src/store/Statistics.ts"
import { Takeovers } from "../../src/store/Takeovers.ts"

export type CatalogTags =
  | Changes
  | Circuits
  | Configurations
  | Connections
  | Deletions
  | Dictionaries
  | FileImports
  | Laps
  | Marks
  | Sessions
  | Statistics
  | Takeovers

export type CatalogService = Changes["Type"] &
  Circuits["Type"] &
  Configurations["Type"] &
  Connections["Type"] &
  Deletions["Type"] &
  Dictionaries["Type"] &
  FileImports["Type"] &
  Laps["Type"] &
  Marks["Type"] &
  Sessions["Type"] &
  Statistics["Type"] &
  Takeovers["Type"]

export const catalogIn = (stores: Context.Context<CatalogTags>): CatalogService => ({
  ...Context.get(stores, Changes),
  ...Context.get(stores, Circuits),
  ...Context.get(stores, Configurations),
  ...Context.get(stores, Connections),
  ...Context.get(stores, Deletions),
  ...Context.get(stores, Dictionaries),
  ...Context.get(stores, FileImports),
  ...Context.get(stores, Laps),
  ...Context.get(stores, Marks),
  ...Context.get(stores, Sessions),
  ...Context.get(stores, Statistics),
  ...Context.get(stores, Takeovers)
})

export const catalogService = Effect.map(Effect.context<CatalogTags>(), catalogIn)

/** All ports from one record, such as one that fails or waits. */
export const catalogBy = (service: CatalogService): Layer.Layer<CatalogTags> =>
  Layer.succeedContext(
    Context.make(Changes, service).pipe(
      Context.add(Circuits, service),
      Context.add(Configurations, service),
      Context.add(Connections, service),
      Context.add(Deletions, service),
      Context.add(Dictionaries, service),
      Context.add(FileImports, service),
      Context.add(Laps, service),
      Context.add(Marks, service),
      Context.add(Sessions, service),
      Context.add(Statistics, service),
      Context.add(Takeovers, service)
    )
  )

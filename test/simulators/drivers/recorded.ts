export * from "./suite/events.ts"

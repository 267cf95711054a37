/** The chart library, as the server serves it from the installed package. */
declare module "*/lightweight-charts.mjs" {
  export * from "lightweight-charts"
}

/**
 * What Postgres's planner does for the application. Every statement looks rows up by key. To plan a named one again for
 * each value, to start processes that help with it and to compile it only costs time. A table is read by its index
 * however small it is: without `enable_seqscan`, a named statement that was planned while its table was empty goes on
 * reading the table whole until the statistics change (67 ms instead of 1.5 for a list of 50,000 cases), and a look-up in
 * one of many practices walks through them all.
 */
export const plannerSettings = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  jit: "off",
  max_parallel_workers_per_gather: "0",
} as const;

import { z } from "zod";

const schema = z.object({
  DEMO: z.literal("1"),
  DATA_DIR: z.string().min(1),
  PUBLIC_URL: z.url(),
  SIMULATOR_URL: z.url(),
  SIMULATOR_TOKEN: z.string().optional(),
  /** The owner's login, needed to restart an incomplete demo and to date the cases back. */
  DATABASE_URL: z.string().min(1),
});

export type DemoEnvironment = z.infer<typeof schema>;

/** The settings that `npm start` passes to the demo script; throws without them. */
export function demoEnvironment(): DemoEnvironment {
  // oxlint-disable-next-line node/no-process-env -- `npm start` sets these for this program alone
  const parsed = schema.safeParse(process.env);
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map(({ path }) => path.join(".")).join(", ");
  throw new Error(`The demo is made by \`npm start\` on its own database only; not given here: ${names}.`);
}

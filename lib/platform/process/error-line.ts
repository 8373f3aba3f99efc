type ErrorLine = {
  readonly name: string;
  readonly code?: unknown;
  readonly message?: string;
  readonly stack?: readonly string[];
  readonly cause?: ErrorLine;
};

/** Errors whose message repeats input: JSON.parse quotes its text, Prisma its arguments, Postgres (named `error` by pg) its input. */
const quoting = /^(SyntaxError|PrismaClient(Validation|Known|Unknown)\w*|DriverAdapterError|error)$/;

/** The parts of an error that are logged; never its other members, which may hold rows. */
export function errorLine(error: unknown): ErrorLine {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, cause } = error;
  const frames = error.stack
    ?.split("\n")
    .filter((line) => line.startsWith("    at "))
    .map((line) => line.trim());
  return {
    name,
    ...("code" in error ? { code: error.code } : {}),
    ...(quoting.test(name) ? {} : { message }),
    ...(frames ? { stack: frames } : {}),
    ...(cause === undefined ? {} : { cause: errorLine(cause) }),
  };
}

type ErrorLine = {
  readonly name: string;
  readonly code?: unknown;
  readonly message?: string;
  readonly stack?: readonly string[];
  readonly cause?: ErrorLine;
};

/** JSON.parse quotes the text it could not read, Prisma its arguments, Postgres (whose errors pg names `error`) its input. */
const quoting = /^(SyntaxError|PrismaClient(Validation|Known|Unknown)\w*|DriverAdapterError|error)$/;

/** What the log keeps of an error: never its other members, which may hold rows. */
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

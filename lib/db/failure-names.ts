type FailureFields = { readonly code?: unknown; readonly kind?: unknown; readonly originalCode?: unknown };

/** What Postgres, `pg`, Node or Prisma call a failure: Postgres's state, a code, and the kind and message beside them. */
export function namesOf(error: unknown) {
  if (!(error instanceof Error)) return { state: undefined, code: "", kind: undefined, message: "" };
  const { code, meta, cause } = error as Error & {
    code?: unknown;
    meta?: { driverAdapterError?: { cause?: FailureFields } };
  };
  // Of a commit the adapter's own error comes as it is.
  const inner =
    meta?.driverAdapterError?.cause ?? (error.name === "DriverAdapterError" ? (cause as FailureFields) : undefined);
  const named = [inner?.originalCode, inner?.code, code].map(String);
  return {
    state: named.find((name) => /^[0-9A-Z]{5}$/.test(name) && !/^[PE]/.test(name)),
    code: String(code),
    kind: typeof inner?.kind === "string" ? inner.kind : undefined,
    message: error.message,
  };
}

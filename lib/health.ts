import type { Store } from "#lib/store/db";

const databaseMs = 1_000;

export type Readiness =
  | { readonly status: "ready"; readonly mail: "on" | "off" }
  | { readonly status: "not-ready"; readonly because: "database" | "stopping" };

export type Health = {
  /** Whether a call made now would be served: the database answers within a second, and we are not stopping. */
  readonly readiness: () => Promise<Readiness>;
  readonly leave: () => void;
};

export function createHealth(store: Pick<Store, "pool">, { mail = false } = {}): Health {
  let stopping = false;
  return {
    readiness: async () => {
      if (stopping) return { status: "not-ready", because: "stopping" };
      return (await databaseAnswers(store))
        ? { status: "ready", mail: mail ? "on" : "off" }
        : { status: "not-ready", because: "database" };
    },
    leave: () => {
      stopping = true;
    },
  };
}

async function databaseAnswers({ pool }: Pick<Store, "pool">): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), databaseMs);
  const asked = pool.query("SELECT 1").then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

import type { Tokens } from "./tokens.ts";

/** Whom a face lets in. */
export type Guard = {
  readonly check: (authorization: string | undefined) => "ok" | "missing" | "wrong" | "expired";
  /** Ends the token of a request before its time. */
  readonly expire: (authorization: string | undefined) => void;
};

type Doors = {
  readonly tokens: Tokens;
  /** A fixed credential that is let in beside the tokens given out. */
  readonly credential: string | undefined;
  /** Nobody else is let in; otherwise, without a fixed credential, any bearer is. A token that expired never is. */
  readonly isStrict: boolean;
};

export function createGuard({ tokens, credential, isStrict }: Doors): Guard {
  return {
    check: (authorization) => {
      const bearer = bearerOf(authorization);
      if (bearer === undefined) return "missing";
      const state = tokens.stateOf(bearer);
      if (state !== "unknown") return state === "valid" ? "ok" : "expired";
      return bearer === credential || (credential === undefined && !isStrict) ? "ok" : "wrong";
    },
    expire: (authorization) => tokens.expire(bearerOf(authorization) ?? ""),
  };
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer (\S+)$/.exec(authorization ?? "")?.[1];
}

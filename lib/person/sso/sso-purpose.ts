import { z } from "zod";
import { returnPath } from "#lib/person/session/return-path";

/** What one trip to the provider and back is for, with what it takes to go on then. */
export const ssoPurpose = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("sign-in"), next: z.string() }),
  /** Taking up an invitation, or a link sent in place of a password. */
  z.object({ kind: z.literal("join"), code: z.string().max(200), name: z.string().max(400) }),
  /** Linking one's own account. It counts for the session that set out and for no other. */
  z.object({ kind: z.literal("link"), sessionId: z.string() }),
  /** Proving again who one is, in that session. */
  z.object({ kind: z.literal("prove"), sessionId: z.string() }),
]);

export type SsoPurpose = z.output<typeof ssoPurpose>;

/** What a form asks for that sets out, from this session where there is one; undefined where it is none of ours. */
export function purposeOf(form: FormData, sessionId: string | undefined): SsoPurpose | undefined {
  const text = (name: string) => form.get(name) ?? undefined;
  const asked = text("purpose") ?? "sign-in";
  if (asked === "sign-in") return { kind: asked, next: returnPath(text("next")) };
  return ssoPurpose.safeParse({ kind: asked, code: text("code"), name: text("name"), sessionId }).data;
}

/**
 * Whether the provider is to ask who it is even of somebody it knows: what is linked for good is not to be the account
 * that a colleague left open in this browser.
 */
export function asksAnew({ kind }: SsoPurpose): boolean {
  return kind !== "sign-in";
}

/** Our page that says why a trip came to nothing. The end of its address that browsers keep to themselves holds the link's code. */
export function refusalPage(purpose: SsoPurpose, why: string): string {
  switch (purpose.kind) {
    case "sign-in": {
      const next = purpose.next === "/" ? {} : { next: purpose.next };
      return `/sign-in?${new URLSearchParams({ sso: why, ...next }).toString()}`;
    }
    case "join":
      return `/invite?sso=${why}#${encodeURIComponent(purpose.code)}`;
    case "link":
      return `/account?sso=${why}#sign-on`;
    case "prove":
      return `/account/proof?sso=${why}`;
  }
}

import { z } from "zod";
import { returnPath } from "#lib/person/session/return-path";

/** The purpose of one sign-in at the provider, with what is needed to continue afterwards. */
export const ssoPurpose = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("sign-in"), next: z.string() }),
  /** Accept an invitation, or a link sent in place of a password. */
  z.object({ kind: z.literal("join"), code: z.string().max(200), name: z.string().max(400) }),
  /** Link one's own account. It counts for the session that started it and for no other. */
  z.object({ kind: z.literal("link"), sessionId: z.string() }),
  /** Prove again who one is, in that session. */
  z.object({ kind: z.literal("prove"), sessionId: z.string() }),
]);

export type SsoPurpose = z.output<typeof ssoPurpose>;

/** The purpose of a posted form, with the session where there is one; undefined where the form is none of ours. */
export function purposeOf(form: FormData, sessionId: string | undefined): SsoPurpose | undefined {
  const text = (name: string) => form.get(name) ?? undefined;
  const requested = text("purpose") ?? "sign-in";
  if (requested === "sign-in") return { kind: requested, next: returnPath(text("next")) };
  return ssoPurpose.safeParse({ kind: requested, code: text("code"), name: text("name"), sessionId }).data;
}

/**
 * Whether the provider has to authenticate the person again. A permanent link must not go to the account that a
 * colleague left open in this browser.
 */
export function needsReauthentication({ kind }: SsoPurpose): boolean {
  return kind !== "sign-in";
}

/** The page that explains a failure. The link's code is in the fragment, which browsers do not send. */
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

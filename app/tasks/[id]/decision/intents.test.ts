import { expect, test } from "vitest";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { refusalText } from "#lib/messages/reviewer/refusals";
import { runs } from "./intents.ts";

/** Nothing that a verb could work with: a form that is not understood reaches none. */
const ctx = {} as Context<PersonActor>;

/** What the page sends by itself. */
const hidden = /^(taskId|gateId|key|revision|digest|requestedRevision|zone|shown)$/;

const tooLong = "x".repeat(30_000);

const typed = [
  ...["reason", "why", "code", "question", "delivery", "to", "reference", "sentAt", "payerHas", "whom", "inquiredBy"],
  ...[
    "inquiredAt",
    "reply",
    "informationRequest",
    "evidence",
    "authorizationNumber",
    "validFrom",
    "validTo",
    "decidedAt",
  ],
  ...[
    "note",
    "appealBy",
    "howToAppeal",
    "learnedBy",
    "learnedFrom",
    "by",
    "how",
    "status",
    "at",
    "outcome",
    "clinician",
  ],
  ...["counterpart", "reasons", "value:/patient/birthDate", "field:/patient/birthDate"],
  ...["action", "code", "quantity", "from", "to", "providers", "place", "number", "reasons"].map(
    (part) => `line-1-${part}`,
  ),
];

const outcomes = [undefined, "approved", "denied", "by-line", "held"];

const filled = outcomes.map((outcome) => ({
  ...Object.fromEntries(typed.map((name) => [name, tooLong])),
  ...(outcome === undefined ? {} : { outcome }),
}));

test.each(Object.entries(runs))(
  "whatever is wrong with a form of %s is said under the name of a field",
  async (_, run) => {
    for (const form of [{}, ...filled]) {
      const refused = await run(ctx, form, undefined);
      if (refused.ok || refused.refusal.type !== "invalid") throw new Error("The form was understood.");
      const { problems, text } = refusalText(refused.refusal, () => "");
      const paths = refused.refusal.issues.map(({ path }) => path).filter((path) => !hidden.test(path));
      expect(Object.keys(problems)).toHaveLength(new Set(paths).size);
      expect(Object.values(problems).join(" ")).not.toContain("undefined");
      expect(text).toMatch(/^(Something that this page sends by itself [^.]+\. Reload the page\. ?)+$/);
    }
  },
);

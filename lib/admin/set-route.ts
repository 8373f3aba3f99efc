import { z } from "zod";
import type { Context } from "#lib/context";
import { ok, refuse, type Result } from "#lib/domain/result";
import { idText } from "#lib/domain/service-review";
import type { ConnectorName, RouteSettings } from "#lib/domain/destination";
import { connectors } from "#lib/payer/connectors";
import { lockPractice } from "#lib/store/admin-practices";
import { insertRoute } from "#lib/store/admin-routes";
import { recountPayerClocks } from "#lib/store/payer-clocks";
import { rerouteTasks } from "#lib/tasks/reroute-tasks";
import { administer } from "./administer.ts";
import { checked, environmentWord, lineOfBusinessWord, nameText } from "./checked.ts";
import type { AdminRefusal } from "./refusal.ts";
import { isPlainHttp, urlProblem } from "./route-url.ts";

// Safe because `connectors` has exactly these keys, by type.
const connectorNames = Object.keys(connectors) as [ConnectorName, ...ConnectorName[]];

const schema = z
  .object({
    payerId: idText,
    payerName: nameText.optional(),
    connector: z.enum(connectorNames, `must be one of ${connectorNames.join(", ")}`),
    url: z.string().trim().max(2_000, "must be at most 2000 characters").optional(),
    environment: environmentWord.optional(),
    credential: z
      .string()
      .max(8_000, "must be at most 8000 characters")
      .regex(/^[\x21-\x7e]+$/, "must be one word of printable characters, for it is sent in a header")
      .optional(),
    settings: z.record(idText, z.string().max(2_000, "must be at most 2000 characters")).default({}),
    lineOfBusiness: lineOfBusinessWord.optional(),
  })
  .superRefine(({ connector, url, settings }, issues) => {
    const problem = url === undefined ? missingUrl[connector] : urlProblem(url);
    if (problem !== undefined) issues.addIssue({ code: "custom", path: ["url"], message: problem });
    for (const each of connectors[connector].checkSettings(settings))
      issues.addIssue({ code: "custom", path: ["settings", each.name], message: each.problem });
  });

const missingUrl = {
  manual: undefined,
  "pas-fhir": "must be the payer's FHIR base address, such as https://payer.example/fhir",
  "service-review": "must be the clearinghouse's base address, such as https://clearinghouse.example",
} as const satisfies Record<ConnectorName, string | undefined>;

export type SetRoute = {
  readonly practiceId: string;
  readonly payerId: string;
  readonly payerName?: string | undefined;
  readonly connector: string;
  readonly url?: string | undefined;
  /** Left out: the practice's own; `test` where the address is plain http, which only reaches this machine. */
  readonly environment?: "live" | "test" | undefined;
  /** What the connector lets a route choose, by name. */
  readonly settings?: RouteSettings | undefined;
  /** Whose decision-time rules bind the payer here; not known where it is left out. */
  readonly lineOfBusiness?: string | undefined;
  /** A bearer credential; kept sealed and never shown again. */
  readonly credential?: string | undefined;
};

/**
 * Puts a new version of a practice's route to a payer in force. Open gates and
 * unclaimed releases on the old one are superseded by gates on this one, since
 * a release covers the address its bytes go to.
 */
export async function setRoute(
  ctx: Context,
  { practiceId, ...input }: SetRoute,
): Promise<Result<{ version: number; environment: "live" | "test"; superseded: number }, AdminRefusal>> {
  const set = await administer(ctx, { practiceId }, async (tx) => {
    const route = checked(schema, input);
    if (!route.ok) return route;
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    const { url, credential, payerId, connector, settings, lineOfBusiness } = route.value;
    const test = url !== undefined && isPlainHttp(url) ? "test" : practice.environment;
    const environment = route.value.environment ?? test;
    const { version } = await insertRoute({ tx, store: ctx.store }, { ...route.value, practiceId, environment });
    await recountPayerClocks(tx, { practiceId, payerId });
    const detail = {
      payer: payerId,
      version,
      connector,
      url: url ?? null,
      environment,
      settings,
      lineOfBusiness: lineOfBusiness ?? null,
      credential: credential !== undefined,
    };
    return ok({ value: { version, environment }, chain: practiceId, entries: [{ act: "route.set", detail }] });
  });
  if (!set.ok) return set;
  const worker = { actor: { kind: "worker" }, store: ctx.store } as const;
  const superseded = await rerouteTasks(worker, { practiceId, payerId: input.payerId });
  return ok({ ...set.value, superseded });
}

import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice, type PracticeRecord } from "#lib/practice/shared/practices";
import { payersWithoutRoute, testChannelsOf, updatePractice } from "#lib/practice/store/admin-practices";
import { practiceProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";
import { testOnlyProblem } from "./test-only.ts";
import { recountPayerClocks } from "#lib/task/shared/payer-clocks";
import { rerouteTasks } from "#lib/submission/reroute-tasks";
import { administer, needsProof, type Entry } from "#lib/access/administer";
import { validate, environmentWord, nameText, npiText, taxIdText, timeZoneText } from "#lib/access/validate";
import type { AdminRefusal } from "#lib/access/refusal";

export const practiceSettings = z.object({
  /** Seconds. */
  recallWindowS: z
    .number(problems.number)
    .int(problems.whole("seconds"))
    .min(0, practiceProblems.secondsOfUndo)
    .max(3600, practiceProblems.secondsOfUndo),
  /** Days. */
  gateExpiryDays: z
    .number(problems.number)
    .int(problems.whole("days"))
    .min(1, practiceProblems.daysOfGate)
    .max(365, practiceProblems.daysOfGate),
  environment: environmentWord,
  /** IANA name. A payer's calendar days are counted in this time zone. */
  timeZone: timeZoneText,
  /** The organization's identifiers; an empty text removes one. */
  npi: npiText.optional(),
  taxId: taxIdText.optional(),
});

/** The hours in which a reviewer should act. */
export const targetHours = z
  .number(problems.number)
  .int(problems.whole("hours"))
  .min(1, practiceProblems.hoursOfTarget)
  .max(720, practiceProblems.hoursOfTarget);

const changes = practiceSettings
  .extend({ name: nameText, urgentTargetH: targetHours, standardTargetH: targetHours })
  .partial();

/** What is left out stays as it is. */
export type PracticeSettings = z.input<typeof changes>;

type GivenSettings = PracticeSettings & {
  readonly practiceId: string;
  /** What these settings were made from, as `settingsText` has it; refused with `changed-since` where they are others now. */
  readonly seen?: string | undefined;
};

/** Each part of the settings has an entry of its own in the audit log. */
const acts = {
  "practice.renamed": ["name"],
  "practice.settings-changed": ["recallWindowS", "gateExpiryDays", "environment", "timeZone", "npi", "taxId"],
  "practice.targets-set": ["urgentTargetH", "standardTargetH"],
} as const satisfies Readonly<Record<string, readonly (keyof PracticeSettings)[]>>;

/**
 * Changes what a practice is called, who it is to payers, and its times. Gates that are open keep their expiry and waiting
 * cases their target; frozen documents keep the name they were made with. When the environment changes, gates to payers
 * without a payer connection of their own are superseded, because those payers use the practice's environment; so that
 * takes a proof of who somebody is.
 */
export async function changePracticeSettings(
  ctx: Context,
  { practiceId, seen, ...input }: GivenSettings,
): Promise<Result<undefined, AdminRefusal>> {
  const changed = await administer(ctx, { practiceId }, async (tx) => {
    const wanted = validate(changes, input);
    if (!wanted.ok) return wanted;
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    const to = givenOf(wanted.value);
    const { urgentTargetH = practice.urgentTargetH, standardTargetH = practice.standardTargetH } = to;
    if (urgentTargetH > standardTargetH) {
      const problem = practiceProblems.urgentTargetLonger;
      return refuse({ type: "invalid", issues: [{ field: "urgentTargetH", problem }] });
    }
    const isLive = to.environment === "live";
    const problem = isLive ? testOnlyProblem(practice, await testChannelsOf(tx, [practiceId])) : undefined;
    if (problem !== undefined) return refuse({ type: "invalid", issues: [{ field: "environment", problem }] });
    const entries = entriesOf(practice, to);
    if (entries.length === 0) return ok({ value: [], chain: practiceId, entries });
    if (seen !== undefined && seen !== settingsText(practice, namesOf(to))) return refuse({ type: "changed-since" });
    const isMoved = to.environment !== undefined && to.environment !== practice.environment;
    if (isMoved && needsProof(ctx.actor)) return refuse({ type: "proof-needed" });
    const moved = isMoved ? await payersWithoutRoute(tx, practiceId) : [];
    await updatePractice(tx, practiceId, to);
    if (to.timeZone !== undefined && to.timeZone !== practice.timeZone) await recountPayerClocks(tx, { practiceId });
    return ok({ value: moved, chain: practiceId, entries });
  });
  if (!changed.ok) return changed;
  const worker = { actor: { kind: "worker" }, store: ctx.store } as const;
  for (const payerId of changed.value) await rerouteTasks(worker, { practiceId, payerId });
  return ok(undefined);
}

/** The settings of these names as one text, the same for the same settings. */
export function settingsText(practice: PracticeRecord, names: readonly (keyof PracticeSettings)[]): string {
  return JSON.stringify(names.toSorted().map((name) => [name, practice[name] ?? null]));
}

/** The names of the settings that were given. */
function namesOf(to: ChangedSettings): readonly (keyof PracticeSettings)[] {
  return Object.values(acts)
    .flat()
    .filter((name) => to[name] !== undefined);
}

function entriesOf(practice: PracticeRecord, to: ChangedSettings): readonly Entry[] {
  // Safe because the object has exactly these keys.
  return (Object.keys(acts) as (keyof typeof acts)[]).flatMap((act): readonly Entry[] => {
    const given = acts[act].filter((name) => to[name] !== undefined);
    if (given.every((name) => (practice[name] ?? null) === to[name])) return [];
    const from = Object.fromEntries(given.map((name) => [name, practice[name] ?? null]));
    const after = Object.fromEntries(given.map((name) => [name, to[name]]));
    return [
      { act, detail: act === "practice.renamed" ? { from: from["name"], to: after["name"] } : { from, to: after } },
    ];
  });
}

type Changes = z.output<typeof changes>;
type ChangedSettings = { readonly [Name in keyof Changes]?: Exclude<Changes[Name], undefined> };

/** Without what was left out. */
function givenOf(wanted: Changes): ChangedSettings {
  // Safe because only members that are undefined are dropped.
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as ChangedSettings;
}

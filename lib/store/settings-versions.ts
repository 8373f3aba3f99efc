import { actorName, type Actor } from "#lib/domain/actor";
import type { Store, Tx } from "./db.ts";

/** What is versioned: a practice's own settings with its rules, or one of its routes by the payer's id. */
export type Subject = "practice" | `route:${string}`;

export type SettingsVersion = {
  readonly version: number;
  readonly at: Date;
  readonly act: string;
  readonly actor: string;
  /** What the person is called now. */
  readonly name?: string | undefined;
  readonly state: Readonly<Record<string, unknown>>;
};

/** A practice as it stands, as JSON; what it made no rule for has none. */
const practiceState = `
  SELECT jsonb_build_object(
           'name', p.name, 'status', p.status, 'environment', p.environment, 'timeZone', p.time_zone,
           'npi', p.npi, 'taxId', p.tax_id, 'recallWindowS', p.recall_window_s, 'gateExpiryDays', p.gate_expiry_days,
           'urgentTargetH', p.urgent_target_h, 'standardTargetH', p.standard_target_h,
           'notedWarnings', to_jsonb(p.noted_warnings),
           'providers', (SELECT coalesce(jsonb_object_agg(each ->> 'npi', each - 'npi'), '{}') FROM jsonb_array_elements(p.providers) each),
           'votes', (SELECT coalesce(jsonb_object_agg(v.action || '-' || v.risk, jsonb_build_object('votes', v.votes, 'stepUp', v.step_up)), '{}')
                       FROM vote_rule v WHERE v.practice_id = p.id)) AS state
    FROM practice p WHERE p.id = $1`;

/** A route in force; of its credential only with which version it came. */
const routeState = `
  SELECT jsonb_build_object(
           'payerName', r.payer_name, 'connector', r.connector, 'url', r.url, 'environment', r.environment,
           'settings', r.settings, 'lineOfBusiness', r.line_of_business, 'requiredFields', to_jsonb(r.required_fields),
           'credential', coalesce('set with version ' || r.credential_version, 'none'), 'route', r.version) AS state
    FROM route r WHERE r.practice_id = $1 AND r.payer_id = substr($2, 7) ORDER BY r.version DESC LIMIT 1`;

/**
 * Keeps how a practice or a route was left by a change, as its next version;
 * nothing where it is as the last version has it. The caller holds the practice.
 */
export async function keepVersion(
  tx: Tx,
  { practiceId, subject, actor, act }: { practiceId: string; subject: Subject; actor: Actor; act: string },
): Promise<void> {
  await tx.$executeRawUnsafe(
    `WITH now AS (${subject === "practice" ? practiceState : routeState}),
          last AS (SELECT version, state FROM settings_version WHERE practice_id = $1 AND subject = $2
                    ORDER BY version DESC LIMIT 1)
     INSERT INTO settings_version (practice_id, subject, version, actor, act, state)
     SELECT $1, $2, coalesce((SELECT version FROM last), 0) + 1, $3, $4, now.state FROM now
      WHERE now.state IS DISTINCT FROM (SELECT state FROM last)`,
    practiceId,
    subject,
    actorName(actor),
    act,
  );
}

/** The newest versions, the newest first, and the one before the last of them to compare it with. */
export async function listVersions(
  store: Store,
  { practiceId, subject, before, limit }: { practiceId: string; subject: Subject; before: number; limit: number },
): Promise<readonly SettingsVersion[]> {
  const { rows } = await store.pool.query<Omit<SettingsVersion, "name"> & { name: string | null }>(
    `SELECT v.version, v.at, v.act, v.actor, p.name, v.state FROM settings_version v
       LEFT JOIN person p ON v.actor = 'person:' || p.id::text
      WHERE v.practice_id = $1 AND v.subject = $2 AND v.version < $3 ORDER BY v.version DESC LIMIT $4`,
    [practiceId, subject, before, limit + 1],
  );
  return rows.map(({ name, ...row }) => ({ ...row, name: name ?? undefined }));
}

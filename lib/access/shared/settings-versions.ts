import { actorName, type Actor } from "#lib/access/model/actor";
import type { Store, Tx } from "#lib/db/db";

/**
 * What has versions: a practice's own settings with its rules, one of its payer connections, or a payer of its
 * directory. The last two are named by the payer's id.
 */
export type Subject = "practice" | `route:${string}` | `payer:${string}`;

export type SettingsVersion = {
  readonly version: number;
  readonly at: Date;
  readonly act: string;
  readonly actor: string;
  /** The person's current name. */
  readonly name?: string | undefined;
  readonly state: Readonly<Record<string, unknown>>;
};

/** A practice as JSON. Rules that it has not set and details that are not required are left out. */
const practiceState = `
  SELECT jsonb_build_object(
           'name', p.name, 'status', p.status, 'environment', p.environment, 'timeZone', p.time_zone,
           'npi', p.npi, 'taxId', p.tax_id, 'recallWindowS', p.recall_window_s, 'gateExpiryDays', p.gate_expiry_days,
           'urgentTargetH', p.urgent_target_h, 'standardTargetH', p.standard_target_h,
           'notedWarnings', to_jsonb(p.noted_warnings),
           'providers', (SELECT coalesce(jsonb_object_agg(each ->> 'npi', each - 'npi'), '{}') FROM jsonb_array_elements(p.providers) each),
           'votes', (SELECT coalesce(jsonb_object_agg(v.action || '-' || v.risk, jsonb_build_object('votes', v.votes, 'stepUp', v.step_up)), '{}')
                       FROM vote_rule v WHERE v.practice_id = p.id)) ||
         jsonb_strip_nulls(jsonb_build_object('ssoOnly', nullif(p.sso_only, false), 'secondAdmin', nullif(p.second_admin, false),
           'emergencyAccess', nullif(p.emergency_access, false),
           'reviewersSecondFactor', nullif(p.reviewers_second_factor, false), 'unlistedPayers', nullif(p.unlisted_payers, 'refuse'),
           'autoReview', nullif(p.auto_review, false),
           'groups', (SELECT jsonb_object_agg(issuer, of_issuer)
                        FROM (SELECT issuer, jsonb_object_agg(group_name, roles) AS of_issuer
                                FROM (SELECT issuer, group_name, jsonb_object_agg(role, true) AS roles FROM group_role
                                       WHERE practice_id = p.id GROUP BY issuer, group_name) of_group GROUP BY issuer) by_issuer))) AS state
    FROM practice p WHERE p.id = $1`;

/** The active version of a payer connection. Of its credential, only the version it came with. */
const routeState = `
  SELECT jsonb_build_object(
           'payerName', r.payer_name, 'connector', r.connector, 'url', r.url, 'environment', r.environment,
           'settings', r.settings, 'lineOfBusiness', r.line_of_business, 'requiredFields', to_jsonb(r.required_fields),
           'credential', coalesce('set with version ' || r.credential_version, 'none'), 'route', r.version) AS state
    FROM route r WHERE r.practice_id = $1 AND r.payer_id = substr($2, 7) ORDER BY r.version DESC LIMIT 1`;

/** A payer of the directory with its rules; one that was removed has nothing but that. */
const payerState = `
  SELECT coalesce(
           (SELECT jsonb_build_object('name', d.name, 'aliases', to_jsonb(d.aliases), 'connector', d.connector,
                     'supports', to_jsonb(d.supports), 'requiredFields', to_jsonb(d.required_fields), 'rules', d.rules)
              FROM payer d WHERE d.practice_id = $1 AND d.payer_id = substr($2, 7)),
           '{"removed": true}') AS state`;

/**
 * Stores the state of a practice, payer connection or payer after a change as its next version; nothing if it is
 * unchanged. The caller has locked the practice.
 */
export async function keepVersion(
  tx: Tx,
  { practiceId, subject, actor, act }: { practiceId: string; subject: Subject; actor: Actor; act: string },
): Promise<void> {
  await tx.$executeRawUnsafe(
    `WITH now AS (${stateOf(subject)}),
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

function stateOf(subject: Subject): string {
  if (subject === "practice") return practiceState;
  return subject.startsWith("route:") ? routeState : payerState;
}

/** A channel as JSON, without its keys, which have their own list. */
const channelState = `
  SELECT jsonb_build_object(
           'name', c.name, 'status', c.status, 'owner', c.owner_id,
           'callsPerSecond', c.calls_per_second, 'callsAtOnce', c.calls_at_once,
           'atoms', (SELECT coalesce(jsonb_object_agg(atom, true), '{}') FROM unnest(c.atoms) atom),
           'practices', (SELECT coalesce(jsonb_object_agg(p.practice_id, true), '{}') FROM channel_practice p WHERE p.channel_id = c.id),
           'networks', (SELECT coalesce(jsonb_object_agg(network::text, true), '{}') FROM unnest(c.networks) network)) ||
         jsonb_strip_nulls(jsonb_build_object('environment', nullif(c.environment, 'live'),
           'webhooks', (SELECT jsonb_object_agg(host, true) FROM channel_webhook w, unnest(w.hosts) host
                         WHERE w.channel_id = c.id))) AS state
    FROM channel c WHERE c.id = $1::uuid`;

/** The same for a channel, which the caller has locked. */
export async function keepChannelVersion(
  tx: Tx,
  { channelId, actor, act }: { channelId: string; actor: Actor; act: string },
): Promise<void> {
  await tx.$executeRawUnsafe(
    `WITH now AS (${channelState}),
          last AS (SELECT version, state FROM channel_version WHERE channel_id = $1::uuid ORDER BY version DESC LIMIT 1)
     INSERT INTO channel_version (channel_id, version, actor, act, state)
     SELECT $1::uuid, coalesce((SELECT version FROM last), 0) + 1, $2, $3, now.state FROM now
      WHERE now.state IS DISTINCT FROM (SELECT state FROM last)`,
    channelId,
    actorName(actor),
    act,
  );
}

/** The newest versions of a channel, listed like those of a practice. */
export async function listChannelVersions(
  store: Store,
  { channelId, before, limit }: { channelId: string; before: number; limit: number },
): Promise<readonly SettingsVersion[]> {
  return named(
    store,
    `SELECT v.version, v.at, v.act, v.actor, p.name, v.state FROM channel_version v
       LEFT JOIN person p ON v.actor = 'person:' || p.id::text
      WHERE v.channel_id = $1 AND v.version < $2 ORDER BY v.version DESC LIMIT $3`,
    [channelId, before, limit + 1],
  );
}

/** The newest versions, the newest first, followed by the one before them for comparison. */
export async function listVersions(
  store: Store,
  { practiceId, subject, before, limit }: { practiceId: string; subject: Subject; before: number; limit: number },
): Promise<readonly SettingsVersion[]> {
  return named(
    store,
    `SELECT v.version, v.at, v.act, v.actor, p.name, v.state FROM settings_version v
       LEFT JOIN person p ON v.actor = 'person:' || p.id::text
      WHERE v.practice_id = $1 AND v.subject = $2 AND v.version < $3 ORDER BY v.version DESC LIMIT $4`,
    [practiceId, subject, before, limit + 1],
  );
}

async function named({ pool }: Store, text: string, values: readonly unknown[]): Promise<readonly SettingsVersion[]> {
  const { rows } = await pool.query<Omit<SettingsVersion, "name"> & { name: string | null }>(text, [...values]);
  return rows.map(({ name, ...row }) => ({ ...row, name: name ?? undefined }));
}

import type { Store } from "#lib/db/db";

/** Something in the database that prevents changes to the audit log, and what is wrong with it. */
export type Guard = { readonly guard: string; readonly problem: "missing" | "disabled" | "changed" };

const triggers: Readonly<Record<string, string>> = {
  audit_entry_no_change: "BEFORE DELETE OR UPDATE ON public.audit_entry FOR EACH ROW EXECUTE FUNCTION audit_refuse()",
  audit_entry_no_truncate: "BEFORE TRUNCATE ON public.audit_entry FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()",
};

/** SHA-256 of each function's body as the migrations create it. */
const functions: Readonly<Record<string, string>> = {
  audit_append: "88c845c87992d6d855244504b96a666a521cddbc29c787796f320cc8e3bb464d",
  audit_append_each: "edefa1c1199e76615f6d1c092ecc15f53090e1a6fac46e573c84813190c29dd0",
  audit_content_hash: "6699876957c1fddf91b9696092d31a5696185f6bc7d17b4cf7d5af6df8d8ea10",
  audit_link_hash: "ce48554f917d555942996839b3ee8f7cc62e78e12f82e978690b2e2e3230991e",
  audit_purge: "03419b516ebcae753d880f4ff4fa4f693af91af7755c6871d77b8c1f235a04f8",
  audit_refuse: "3534b7e7fc71e1e22bf08eb28c18a0c97c3c95e50671591fb49c377f49ff419e",
  audit_seq_at: "93353fdfef682e81b142ea9097255de6f12b7c8d5def6b67733fea7a8f6fa1fa",
};

/**
 * Every guard that differs from what the migrations create; empty if all are in order. Only somebody with the owner's
 * rights can have changed one.
 */
export async function findBadGuards(store: Store): Promise<readonly Guard[]> {
  const { pool } = store;
  const found = await pool.query<{ name: string; enabled: string; text: string }>(`
    SELECT tgname AS name, tgenabled AS enabled, pg_get_triggerdef(oid) AS text
      FROM pg_trigger WHERE tgrelid = 'public.audit_entry'::regclass AND NOT tgisinternal`);
  const bodies = await pool.query<{ name: string; digest: string }>(
    `SELECT proname AS name, encode(sha256(convert_to(prosrc, 'UTF8')), 'hex') AS digest
       FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname = ANY ($1)`,
    [Object.keys(functions)],
  );
  const settings = await pool.query<{ replicates: boolean; writes: boolean }>(`
    SELECT current_setting('session_replication_role') <> 'origin' OR EXISTS (
             SELECT FROM pg_db_role_setting WHERE array_to_string(setconfig, ' ') LIKE '%session_replication_role%') AS replicates,
           has_table_privilege(current_user, 'public.audit_entry', 'INSERT, UPDATE, DELETE, TRUNCATE') AS writes`);
  const { replicates, writes } = settings.rows[0] ?? { replicates: false, writes: false };
  return [
    ...Object.keys(triggers).flatMap((name) => triggerProblem(name, found.rows)),
    ...Object.keys(functions).flatMap((name) => functionProblem(name, bodies.rows)),
    ...(replicates ? [{ guard: "session_replication_role", problem: "changed" } as const] : []),
    ...(writes ? [{ guard: "the application's rights", problem: "changed" } as const] : []),
  ];
}

function triggerProblem(
  guard: string,
  found: readonly { readonly name: string; readonly enabled: string; readonly text: string }[],
): readonly Guard[] {
  const trigger = found.find(({ name }) => name === guard);
  if (!trigger) return [{ guard, problem: "missing" }];
  if (trigger.enabled !== "O" && trigger.enabled !== "A") return [{ guard, problem: "disabled" }];
  return trigger.text === `CREATE TRIGGER ${guard} ${triggers[guard]}` ? [] : [{ guard, problem: "changed" }];
}

function functionProblem(
  guard: string,
  bodies: readonly { readonly name: string; readonly digest: string }[],
): readonly Guard[] {
  const same = bodies.filter(({ name }) => name === guard);
  if (same.length === 0) return [{ guard, problem: "missing" }];
  return same.length === 1 && same[0]?.digest === functions[guard] ? [] : [{ guard, problem: "changed" }];
}

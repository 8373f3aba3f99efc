import type { ChosenCase } from "#lib/queue/chosen-cases";

/** One case of the form: as it was shown, in one field, so that nothing of one case can be taken for another's. */
export type Item = {
  readonly taskId: string;
  /** Whom it was assigned to. */
  readonly from: string | undefined;
  readonly key: string;
  /** When it had last changed. */
  readonly changedAt: string;
  readonly seen: { readonly gateId: string; readonly revision: number; readonly digest: string };
};

const none = "-";

export function itemText({ taskId, assignee, gate, key, changedAt }: ChosenCase): string {
  const { gateId, revision, digest } = gate ?? { gateId: none, revision: 0, digest: none };
  return [taskId, assignee?.id ?? none, key, gateId, revision, digest, changedAt.toISOString()].join(" ");
}

/** Undefined for what no page of ours wrote. */
export function readItem(text: string): Item | undefined {
  const [taskId, from, key, gateId, revision, digest, changedAt, ...more] = text.split(" ");
  if (!taskId || !from || !key || !gateId || !digest || !changedAt || more.length > 0) return undefined;
  if (!/^\d{1,9}$/.test(revision ?? "")) return undefined;
  return {
    taskId,
    from: from === none ? undefined : from,
    key,
    changedAt,
    seen: { gateId, revision: Number(revision), digest },
  };
}

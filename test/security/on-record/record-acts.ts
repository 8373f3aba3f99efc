import { disablePerson } from "#lib/person/disable-person";
import { exportReceipts } from "#lib/audit/export-receipts";
import { exportAuditLog } from "#lib/audit/export-audit-log";
import { showChannel } from "#lib/channel/list-channels";
import { recoverRecord } from "#lib/submission/recover-record";
import { listPeople } from "#lib/person/list-people";
import type { AdminAct, RecordAct } from "#lib/audit/model/entry";
import { recordChannelDenials } from "#lib/channel/store/channel-denials";
import { createSession } from "#lib/person/store/people";
import { purgeChain } from "#lib/audit/store/audit-state";
import { writeRecordStops } from "#lib/submission/shared/record-stops";
import { sweepSignIns } from "#lib/person/sweep-sign-ins";
import { exportReport } from "#lib/report/export-report";
import { openCase } from "#lib/queue/open-case";
import { searchCases } from "#lib/queue/search-cases";
import { operator } from "#test/support/people/admin";
import { aChannel, aHeldTask, aPerson, aPractice, fullReview } from "#test/support/cases/cases";
import { aLedger } from "#test/support/database/ledgers";
import type { Preparation } from "./given.ts";
import { unscoped } from "#lib/db/db";
import { newId } from "#lib/db/new-id";

type CoveredAct = Exclude<RecordAct, `person.s${string}` | "person.proof-failed"> | Extract<AdminAct, "cases.searched">;

/** What is recorded of searches, exports and refusals, and of the record itself. `aged` is a chain past its time. */
export const recordActs = (aged: () => Promise<string>): Readonly<Record<CoveredAct, Preparation>> => ({
  "cases.searched": async (store) => {
    const { reviewer } = await aHeldTask(store, { review: fullReview });
    return () => searchCases(reviewer, fullReview.subscriber.memberId);
  },
  "audit.exported": async (store) => {
    const practiceId = await aPractice(store);
    return () => exportAuditLog({ actor: operator, store }, { practiceId });
  },
  "audit.purged": async (store) => {
    const chain = await aged();
    return () => purgeChain(store, { chain, limit: 10 });
  },
  "audit.recovered": async (store) => {
    const chain = await aPractice(store);
    await writeRecordStops(store, [{ chain, seq: 7, hash: "of an entry that was seen" }]);
    const folder = await aLedger(store);
    return () => recoverRecord({ actor: operator, store }, { folder, heads: [] });
  },
  "sessions.purged": async (store) => {
    const { actor } = await aPerson(store, { practices: [await aPractice(store)] });
    const { id } = await createSession(store, { personId: actor.id, address: "192.0.2.7" });
    await store.prisma.session.update({ where: { id }, data: { expiresAt: new Date(0) } });
    return () => sweepSignIns(unscoped(store));
  },
  "receipts.exported": async (store) => {
    const practiceId = await aPractice(store);
    return () => exportReceipts({ actor: operator, store }, { practiceId, after: 0 });
  },
  "report.exported": async (store) => {
    const reviewer = await aPerson(store, { practices: [await aPractice(store), await aPractice(store)] });
    return () => exportReport(reviewer, { report: "reviews", days: "7", zone: "UTC" });
  },
  "person.denied": async (store) => {
    const { taskId } = await aHeldTask(store);
    const stranger = await aPerson(store, { practices: [await aPractice(store)] });
    const elsewhere = await aPerson(store, { practices: [await aPractice(store)], roles: ["admin"] });
    const { actor } = await aChannel(store, { practices: [await aPractice(store)] });
    return () =>
      Promise.all([
        openCase(stranger, { taskId }),
        listPeople(stranger),
        showChannel(elsewhere, { channelId: actor.id }),
        disablePerson(elsewhere, { id: stranger.actor.id }),
      ]);
  },
  "channel.denied": async (store) => {
    const { actor } = await aChannel(store, { practices: [await aPractice(store)] });
    const denial = {
      id: newId(),
      channelId: actor.id,
      at: new Date(),
      rule: "atom",
      atom: undefined,
      practiceId: undefined,
    } as const;
    const denials = [{ ...denial, taskId: undefined, keyId: undefined, address: undefined }];
    return () => recordChannelDenials(store, { denials, minutes: [] });
  },
});

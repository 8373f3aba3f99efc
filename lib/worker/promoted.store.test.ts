import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stateOf } from "#lib/task/model/task";
import { readRecordStops } from "#lib/submission/shared/record-stops";
import { aChannel, aPerson, aPractice, aRoute } from "#test/support/cases/cases";
import { commandLine } from "#test/support/processes/pa";
import { aReplicatedDatabase } from "#test/support/database/replicated";
import {
  aCase,
  arrivalsAt,
  aWorkerProcess,
  overWindows,
  release,
  storeOn,
  taskNow,
} from "#test/support/database/restorable";
import { aSimulator } from "#test/support/payer/simulator";

test(
  "a standby that is promoted without the last submissions submits none of them again, under a worker that goes on",
  { timeout: 180_000 },
  async () => {
    const [database, simulator] = await Promise.all([aReplicatedDatabase(), aSimulator()]);
    const store = storeOn(database.appUrl);
    const practiceId = await aPractice(store, { recallWindowS: 3_600 });
    await aRoute(store, { practiceId, url: `${simulator.url}/fhir`, credential: "right" });
    const channel = await aChannel(store, { practices: [practiceId] });
    const reviewer = await aPerson(store, { practices: [practiceId] });
    const hands = { store, channel, reviewer, practiceId };
    const ledger = join(mkdtempSync(join(tmpdir(), "ledger-")), "ledger");
    const worker = await aWorkerProcess(database.appUrl, { ledger });
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      ids.push(await aCase(hands, `HM${n}`));
      await release(hands, ids[n] ?? "");
    }
    const states = async (of: readonly string[]) =>
      new Set(await Promise.all(of.map(async (id) => stateOf(await taskNow(store, id)))));
    const transmitted = (of: readonly string[]) =>
      expect.poll(() => states(of), { timeout: 30_000, interval: 50 }).toEqual(new Set(["transmitted"]));

    await overWindows(store, ids.slice(0, 3));
    await transmitted(ids.slice(0, 3));
    await database.cutOff();
    await overWindows(store, ids.slice(3));
    await transmitted(ids.slice(3));
    const once = Array.from({ length: 12 }, () => 1);
    expect(await arrivalsAt(simulator)).toEqual(once);

    await database.failOver();
    await worker.says("the database is another than before");
    await expect
      .poll(() => states(ids.slice(3)).catch(() => "not yet"), { timeout: 30_000 })
      .toEqual(new Set(["transmit-released"]));
    await overWindows(store, ids.slice(3));
    await worker.says("the record lacks an entry that was seen");
    expect(await readRecordStops(store)).toMatchObject([{ chain: practiceId }]);

    const recovered = await commandLine(database)(["recover", "--yes"], "", { SUBMISSION_LEDGER_DIR: ledger });
    expect(recovered).toMatchObject({ code: 0, err: "" });
    expect(recovered.out).toContain("9 are asked about at their payers.");
    await transmitted(ids);
    expect(await arrivalsAt(simulator)).toEqual(once);
    await worker.stop();
    await store.close();
  },
);

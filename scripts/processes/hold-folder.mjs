import { join } from "node:path";
import { readJson, writePrivateJson } from "../setup/files.mjs";
import { lock } from "./lock.mjs";
import { endProcess, identityOf, isSame } from "./processes.mjs";
import { trouble } from "./report.mjs";

/**
 * Makes this start the only one on the data folder, and ends by their pids the children of one that was killed.
 * `remember` notes a child for that purpose.
 */
export async function holdFolder({ folder, publicUrl }) {
  const path = join(folder, "start.lock");
  const file = join(folder, "start.json");
  const release = (await lock(path, "exclusive", { waitMs: 1_500 })) ?? (await waitForLeaving({ path, file }));
  if (release === undefined) throw trouble(alreadyRunning(readJson(file, {}), folder));
  const { children = [] } = readJson(file, {});
  await Promise.all(children.filter(isSame).map(({ pid }) => endProcess(pid, { graceMs: 3_000 })));
  const state = { pid: process.pid, url: publicUrl, leaving: false, children: [] };
  const write = () => writePrivateJson(file, state);
  write();
  return {
    remember(pid) {
      state.children = [...state.children.filter(isSame), identityOf(pid)];
      write();
    },
    leave() {
      state.leaving = true;
      write();
    },
    release() {
      state.children = [];
      write();
      release();
    },
  };
}

/** One that leaves waits for the payers it has something under way with. */
async function waitForLeaving({ path, file }) {
  return readJson(file, {}).leaving === true ? await lock(path, "exclusive", { waitMs: 120_000 }) : undefined;
}

function alreadyRunning({ pid, url }, folder) {
  return `Already running on ${folder} (process ${pid}, ${url}): stop that one with Ctrl-C, or begin a second one with DATA_DIR=.data-2 PORT=3001 npm start.`;
}

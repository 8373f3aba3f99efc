import { databaseUrls } from "../../lib/platform/process/database-url.ts";

/** How to start anew on a data folder with a database of its own. */
export function startAnewIn(folder) {
  return `To start anew, delete the data folder with everything in it, then run npm start: rm -rf ${shellWord(folder)}`;
}

/**
 * How to start anew on a database of the operator's own. What workers noted of the old one has to go, or they would take
 * the new one for a restored backup.
 */
export function startAnewOnGiven(ownerUrl, folder) {
  const [url] = databaseUrls(ownerUrl);
  const name = decodeURIComponent(url.pathname.slice(1));
  const owner = decodeURIComponent(url.username);
  const noted = folder === undefined ? "submission-ledger in DATA_DIR" : shellWord(`${folder}/submission-ledger`);
  return `To start anew, make the database again as a role that may, DROP DATABASE ${sqlName(name)}; CREATE DATABASE ${sqlName(name)} OWNER ${sqlName(owner)}; and delete what was noted of the old one, ${noted} and the folder in AUDIT_HEADS_DIR. Then run npm start.`;
}

function shellWord(text) {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function sqlName(name) {
  return `"${name.replaceAll('"', '""')}"`;
}

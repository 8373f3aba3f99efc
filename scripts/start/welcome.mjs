import { join } from "node:path";
import { intakeOf } from "../../agent/intake.ts";
import { readJson } from "../setup/files.mjs";

/** What a newcomer needs next: where it is, how to sign in, and a message that works when pasted. */
export function welcome({ settings, folder, demo, began }) {
  const logs = join(folder, "logs");
  const lines = [`Ready in ${((performance.now() - began) / 1000).toFixed(1)} s at ${settings.publicUrl}`, ""];
  if (demo) lines.push(...demoLines(readJson(join(folder, "demo.json"), {})));
  else lines.push("The first admin: npm run pa -- bootstrap", "");
  process.stdout.write(`\n${[...lines, `Logs are in ${logs}. Ctrl-C stops everything.`].join("\n")}\n\n`);
}

function demoLines({ baseUrl, practiceId, channelKey, reviewer, admin }) {
  return [
    `  reviewer     ${reviewer?.email}   ${reviewer?.password}`,
    `  admin        ${admin?.email}   ${admin?.password}`,
    `  API key      ${channelKey}`,
    `  developers   ${baseUrl}/developers; a key for agents' own tests: npm run sandbox`,
    "",
    "An agent's first message; then release it in the queue:",
    "",
    ...curl({ baseUrl, practiceId, channelKey }),
    "",
  ];
}

function curl({ baseUrl, practiceId, channelKey }) {
  // The payer answers by itself once the request is released.
  const serviceReview = intakeOf({ minimal: false, payerId: undefined, memberId: undefined }, new Date());
  const message = {
    role: "user",
    kind: "message",
    messageId: crypto.randomUUID(),
    parts: [{ kind: "data", data: { skill: "prior_auth_intake", practiceId, serviceReview } }],
  };
  const call = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
  return [
    `  curl -s ${baseUrl}/api/a2a \\`,
    `    -H 'Content-Type: application/json' -H 'Authorization: Bearer ${channelKey}' \\`,
    `    -d '${JSON.stringify(call)}'`,
  ];
}

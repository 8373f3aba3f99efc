import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("plain Node can run all of lib: it holds no .tsx", () => {
  expect(readdirSync("lib", { recursive: true }).filter((file) => String(file).endsWith(".tsx"))).toEqual([]);
});

/** What is served and run, without its tests. */
const product = globSync(["{app,components,lib}/**/*.{ts,tsx}", "*.ts"], { exclude: ["lib/db/generated/**"] })
  .filter((path) => !/\.(test|fixture)\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

const filesWith = (pattern: RegExp) => product.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
const found = (pattern: RegExp) =>
  [...new Set(product.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = ""]) => name)))].sort();

test("nothing secret is drawn from anything but crypto: what Math.random gives are waits", () => {
  expect(filesWith(/Math\.random/).sort()).toEqual([
    "components/live/live-lead.ts",
    "lib/a2a/hold-answer.ts",
    "lib/db/listen.ts",
    "lib/db/retry.ts",
  ]);
});

test("the reply to a poll depends on the time in one place, so that an earlier answer can be returned again", () => {
  const replies = filesWith(/\bnow\(\)|Date\.now|new Date\(\)/).filter((path) => path.startsWith("lib/a2a/reply/"));
  expect(replies).toEqual(["lib/a2a/reply/task-text.ts"]);
});

test("the one cipher is AES-256-GCM, and SHA-1 stands only where a format asks for it", () => {
  expect(found(/create(?:Cipher|Decipher)iv\(\s*"([^"]+)"/g)).toEqual(["aes-256-gcm"]);
  expect(filesWith(/create(?:Cipher|Decipher)iv\((?!\s*")|createCipher\(|publicEncrypt|privateDecrypt/)).toEqual([]);
  expect(found(/create(?:Hash|Hmac)\(\s*"([^"]+)"/g)).toEqual(["sha1", "sha256"]);
  expect(filesWith(/"sha1"/).sort()).toEqual([
    "lib/payer/pas-fhir/documents.ts",
    "lib/payer/trace.ts",
    "lib/person/sign-in/breached-passwords.ts",
  ]);
});

test("the libraries that do cryptography are those the page of keys names", () => {
  const page = readFileSync("docs/security.md", "utf8");
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: object };
  const libraries = Object.keys(dependencies).filter((name) =>
    /argon|auth|crypt|hash|jose|jwt|openid|otp|sign|webauthn/.test(name),
  );
  // The browser's half asks the device.
  const ours = libraries.filter((name) => name !== "@simplewebauthn/browser");
  expect(ours.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("every field for a password is masked, says to a password manager what it is, and keeps nobody from pasting", () => {
  const masked = 'type="password"';
  const fields = product.flatMap(({ path, text }) =>
    [...text.matchAll(/<(?:TextField|ActText|input)\b[^<]*?\/>/g)]
      .map(([field]) => ({ path, field, isPassword: /password/i.test(field.replace(masked, "")) }))
      .filter(({ field, isPassword }) => (isPassword || field.includes(masked)) && !/type="hidden"/.test(field)),
  );
  expect(fields.filter(({ isPassword }) => isPassword).length).toBeGreaterThan(5);
  for (const { path, field, isPassword } of fields) {
    expect(field, path).toContain(masked);
    // What is masked and no password, such as an API key, is not for a password manager.
    expect(field, path).toMatch(isPassword ? /autoComplete="(?:current|new)-password"/ : /autoComplete="off"/);
  }
  expect(filesWith(/\bonPaste\b|"paste"|onBeforeInput|"beforeinput"/)).toEqual([]);
});

test("a page has one title, which it draws itself: a second one by Next's metadata would stand before it", () => {
  expect(filesWith(/\bexport const metadata\b[^;]*\btitle:/)).toEqual([]);
});

test("server and worker write to their log, its collector, the folder of signed heads and the submission ledger, and nowhere else", () => {
  const writing = filesWith(/\bconsole\.|process\.std(?:out|err)|(?:write|append)File|createWriteStream/);
  // The command line answers whoever asked, and the demo is made before anything is served.
  const beside = writing.filter((path) => !/^lib\/(?:cli|demo)\//.test(path));
  expect(beside.sort()).toEqual([
    "lib/audit/head-files.ts",
    "lib/platform/log.ts",
    "lib/submission/ledger/ledger-files.ts",
  ]);
  expect(filesWith(/import \{[^}]*\bconnect\b[^}]*\} from "node:(?:net|tls)"|"node:dgram"/).sort()).toEqual([
    "lib/platform/outbound/open-socket.ts",
    "lib/platform/process/log-collector.ts",
  ]);
});

/** Each server action, with what stands between it and the next one of its file. */
const serverActions = product
  .filter(({ text }) => text.startsWith('"use server"'))
  .flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async function|const) (\w+)[\s\S]*?(?=^export |(?![\s\S]))/gm)].map(
      ([own, name = ""]) => ({ name: `${path}#${name}`, own }),
    ),
  );

test("every server action is made by the one helper, which says in the log what it refuses", () => {
  expect(serverActions.length).toBeGreaterThan(60);
  const silent = serverActions.filter(
    ({ own }) => !/= (?:(?:visitorA|a)ction|(?:visitorC|c)all)(?:<[\w, ]+>)?\(/.test(own),
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

/** Whatever asks for random bits, with what for: 128 or more where nobody may guess it, as the tests of secrets show. */
const drawing = /\b(?:randomBytes|randomInt|randomUUID|randomFillSync|getRandomValues)\(/;

test("random bits come from node:crypto or the browser's own, and every file that draws some is known here with what for", () => {
  const names = /\b(randomBytes|randomInt|randomFillSync)\(/;
  for (const { path, text } of product.filter(({ text }) => names.test(text)))
    expect([path, /import \{[^}]*\brandom\w+\b[^}]*\} from "node:crypto";/s.test(text)]).toEqual([path, true]);
  expect(filesWith(drawing).sort()).toEqual(Object.values(draws).flat().sort());
});

/** In test/security/secrets.test.ts are those of the first three groups that somebody could use. */
const draws = {
  "what lets somebody in": [
    "lib/channel/channel-key.ts",
    "lib/channel/webhook/model/signature.ts",
    "lib/person/password-link.ts",
    "lib/person/second-factor/passkey-challenge.ts",
    "lib/person/second-factor/totp.ts",
    "lib/person/session/browser-secret.ts",
    "lib/worker/subscribe.ts",
  ],
  // 60 bits beside what finds the code; the tries are bounded.
  "a recovery code": ["lib/person/second-factor/recovery-codes.ts"],
  "keys, IVs and marks that never leave the service": [
    "lib/db/practice-keys.ts",
    "lib/db/rotate-keys.ts",
    "lib/db/seal.ts",
    "lib/platform/http/arrival-headers.ts",
    "lib/platform/http/page-headers.ts",
    "lib/platform/key-ring.ts",
  ],
  "the demo's passwords": ["lib/demo/place-people.ts"],
  // Compared so that a password that nobody has takes as long as any other.
  "a password nobody has": ["lib/person/sign-in/password.ts"],
  "names that open nothing": [
    "app/channels/new/page.tsx",
    "app/tasks/[id]/page.tsx",
    "components/undo/undo-bar.tsx",
    "lib/a2a/admit/calls-at-once.ts",
    "lib/a2a/card/serve-card.ts",
    "lib/a2a/health-listener.ts",
    "lib/a2a/serve.ts",
    "lib/audit/head-files.ts",
    "lib/channel/token/serve.ts",
    "lib/db/new-id.ts",
    "lib/payer/pas-fhir/connector.ts",
    "lib/payer/pas-fhir/inquiry.ts",
    "lib/payer/smart.ts",
    "lib/platform/http/front.ts",
    "lib/platform/http/refused-requests.ts",
    "lib/submission/ledger/ledger-files.ts",
  ],
};

/** Tags of buttons, whole, and which of them submit the form they stand in. */
const buttonTag = /<(?:SubmitButton|Button|button)\b(?:=>|[^>])*>/g;
const submits = ([tag]: RegExpMatchArray) => !/\btype="(?:button|reset)"/.test(tag);
const naming = ([tag]: RegExpMatchArray) => /\s(?:name|formAction|formaction)=/.test(tag);

test("no form has two buttons that submit it: what is meant is chosen in a field, and one button confirms it", () => {
  const forms = product.flatMap(({ path, text }) =>
    [...text.matchAll(/<(form|ActForm|DecisionForm)\b(?:=>|[^>])*>[\s\S]*?<\/\1>/g)].map(([form]) => ({ path, form })),
  );
  expect(forms.length).toBeGreaterThan(40);
  // Of what is drawn in each other's place there is one at a time.
  const several = forms.filter(({ form }) =>
    form.split(/\) : /).some((part) => [...part.matchAll(buttonTag)].filter(submits).length > 1),
  );
  expect(several.map(({ path }) => path)).toEqual([]);
});

test("no button says by its own name or address what a form means: a key that submits presses the first, unasked", () => {
  const telling = product.filter(({ text }) => [...text.matchAll(buttonTag)].some(naming)).map(({ path }) => path);
  expect(telling.sort()).toEqual([
    // A GET that leads to a page of its own and decides nothing; its first button is shut.
    "app/queue/bulk-bar.tsx",
    // Nothing but buttons: no key submits it that presses none of them.
    "components/shell/theme-choice.tsx",
  ]);
});

test("every command begins under Node 20 in an empty clone: until it has installed, it needs nothing but what Node 20 has", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  // These speak to a service that runs, so everything is installed.
  const later = new Set(["worker", "pa", "simulator", "agent", "sandbox"]);
  const entries = Object.entries(scripts).flatMap(([name, command]) =>
    later.has(name) ? [] : (/^exec node (\S+\.mjs)/.exec(command)?.[1] ?? []),
  );
  const visited = new Set<string>();
  const needed = (file: string): readonly string[] => {
    if (visited.has(file)) return [];
    visited.add(file);
    const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export)\s(?:[\w*{},\s]+\sfrom )?"([^"]+)";/gm);
    return [...imports].flatMap(([, from = ""]) =>
      from.startsWith(".") && from.endsWith(".mjs") ? needed(join(file, "..", from)) : `${from} in ${file}`,
    );
  };
  expect(entries.length).toBeGreaterThan(10);
  const foreign = entries.flatMap(needed).filter((each) => !each.startsWith("node:") || each.startsWith("node:sqlite"));
  expect(foreign).toEqual([]);
});

#!/usr/bin/env node
// Checks an export of the audit record without the service: node audit-verify.mjs export.jsonl [key]
// `key` is the public key of the signed heads: the file `pa audit key` printed, or its 43 characters `x`.
// Needs Node 18 or later and nothing else. Exit code 0: it holds; 1: it does not; 2: it could not be checked, which
// with a key is also where it signed no head of some chain: that chain could have been made anew.
import { createHash, createPublicKey, verify } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [file, keyText] = process.argv.slice(2);
if (file === undefined) stop("Say which file: node audit-verify.mjs export.jsonl [key]");
const keys = keyText === undefined ? [] : readKeys(keyText);

const seen = { chains: 0, entries: 0, stubs: 0, ended: false };
/** @type {string[]} */
const signed = [];
/** @type {string[]} */
const unsigned = [];
/** @type {Set<string>} */
const unknownKeys = new Set();
let chain;
let number = 0;

const lines = createInterface({
  input: createReadStream(file).on("error", () => stop(`${file} cannot be read.`)),
  crlfDelay: Infinity,
});
for await (const text of lines) {
  number += 1;
  if (text !== "") take(parse(text), text);
}
finishChain();
if (!seen.ended) wrong("the file ends before its last line: it was cut off");

say(`${seen.entries} entries and ${seen.stubs} stubs in ${seen.chains} chains: each follows from the one before it.`);
for (const sentence of signed) say(sentence);
if (keys.length === 0)
  say("No key was given, so signed heads were not checked: a record made anew as a whole would pass.");
else if (unsigned.length + unknownKeys.size > 0) stop(unvouched());

/** Why a key that was given says nothing about some of the export. */
function unvouched() {
  const named = unsigned.length > 5 ? [...unsigned.slice(0, 5), "…"] : unsigned;
  const chains = `The key given signed no head within ${unsigned.length} of ${seen.chains} chains (${named.join(", ")}).`;
  const heads = `Heads name a key that was not given: ${[...unknownKeys].join(", ")}.`;
  const found = [unsigned.length > 0 ? chains : "", unknownKeys.size > 0 ? heads : ""].filter((text) => text !== "");
  return `${found.join(" ")} What only these would vouch for could have been made anew.`;
}

function take(line, text) {
  if (number === 1) {
    if (line.type !== "export" || line.version !== 1) stop(`${file} is no export of the audit record.`);
    return;
  }
  if (seen.ended) wrong("there is something after the last line");
  if (line.type === "chain") {
    finishChain();
    chain = {
      name: line.chain,
      first: line.first,
      last: line.last,
      seq: line.first - 1,
      hash: line.first === 1 ? "" : undefined,
    };
    seen.chains += 1;
  } else if (line.purpose === "audit-head") takeHead(line, text);
  else if (line.type === "entry" || line.type === "stub") takeLink(line);
  else if (line.type === "end") {
    finishChain();
    seen.ended = true;
    for (const what of ["chains", "entries", "stubs"])
      if (line[what] !== seen[what]) wrong(`it says ${line[what]} ${what}, and there are ${seen[what]}`);
  } else wrong("its kind is not known");
}

function takeLink(line) {
  if (chain === undefined || line.chain !== chain.name) wrong("it belongs to no chain that was begun");
  if (line.seq !== chain.seq + 1) wrong(`entry ${chain.seq + 1} of ${chain.name} is missing`);
  if (chain.hash !== undefined && line.prevHash !== chain.hash)
    wrong(`entry ${line.seq} of ${chain.name} does not follow the one before it`);
  if (line.type === "entry") seen.entries += 1;
  else seen.stubs += 1;
  if (line.type === "entry" && contentOf(line) !== line.contentHash)
    wrong(`the content of entry ${line.seq} of ${chain.name} was edited`);
  if (linkOf(line) !== line.hash) wrong(`entry ${line.seq} of ${chain.name} was edited`);
  if (chain.head?.seq === line.seq && chain.head.hash !== line.hash)
    wrong(`the chain ${chain.name} is another than the one whose head was signed at ${line.seq}`);
  if (chain.head?.seq === line.seq) chain.met = true;
  chain.seq = line.seq;
  chain.hash = line.hash;
}

function takeHead(line, text) {
  if (keys.length === 0) return;
  const key = keys.find(({ kid }) => kid === line.kid);
  if (key === undefined) {
    unknownKeys.add(String(line.kid));
    return;
  }
  const { signature, ...content } = line;
  if (
    canonical(line) !== text ||
    !verify(null, Buffer.from(canonical(content)), key.key, Buffer.from(signature, "base64url"))
  )
    wrong("the signature of the head does not fit");
  if (line.chain !== chain?.name) wrong("the head is of another chain");
  chain.head = line;
}

function finishChain() {
  if (chain === undefined) return;
  if (chain.seq !== chain.last) wrong(`entries ${chain.seq + 1} to ${chain.last} of ${chain.name} are missing`);
  if (chain.head !== undefined && chain.head.seq >= chain.first) {
    if (!chain.met) wrong(`the chain ${chain.name} ends before entry ${chain.head.seq}, whose head was signed`);
    const { name, first, last, head } = chain;
    signed.push(
      `${name}: entries ${first} to ${last}, through the head signed at ${head.seq} on ${head.at} by the key ${head.kid}.`,
    );
  } else unsigned.push(chain.name);
  chain = undefined;
}

function contentOf({ salt, at, actor, act, taskId, detail }) {
  return hashOf(["audit-content-2", salt, at, actor, act, taskId ?? "-", detail]);
}

function linkOf({ chain: name, seq, prevHash, contentHash }) {
  return hashOf(["audit-link-2", prevHash, name, seq, contentHash]);
}

function hashOf(parts) {
  return createHash("sha256").update(parts.join("\n"), "utf8").digest("hex");
}

/** RFC 8785 for an object of texts and whole numbers, which is all a head is made of. */
function canonical(object) {
  return JSON.stringify(object, Object.keys(object).sort());
}

function readKeys(text) {
  const json = existsSync(text) ? parse(readFileSync(text, "utf8")) : { x: text };
  const found = (json.keys ?? [json]).flatMap(({ x }) => {
    if (typeof x !== "string" || Buffer.from(x, "base64url").length !== 32) return [];
    const kid = createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest("base64url");
    return [{ kid, key: createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }) }];
  });
  if (found.length === 0) stop(`${text} is no public key and no file of them.`);
  return found;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return wrong("it is no JSON");
  }
}

function say(sentence) {
  process.stdout.write(`${sentence}\n`);
}

function wrong(what) {
  process.stderr.write(`Not to be relied on. Line ${number}: ${what}.\n`);
  process.exit(1);
}

function stop(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

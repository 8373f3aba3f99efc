// Whoever read along may be gone, such as a closed terminal or `| head`; what is under way goes on without them. What could
// not be written for another reason, such as a full disk, shows at the end.
for (const output of [process.stdout, process.stderr])
  output.on("error", ({ code }) => {
    if (code !== "EPIPE" && code !== "EIO") process.exitCode = 1;
  });

/** What cannot work, in a sentence that ends with the remedy; it is shown without a stack. */
export function trouble(sentence) {
  return Object.assign(new Error(sentence), { name: "Trouble" });
}

/** Runs one step and prints one line for it: name, outcome (what `run` returns), seconds. */
export async function step(name, run) {
  const began = performance.now();
  const outcome = await run();
  if (outcome?.line !== undefined) say(name, outcome.line, performance.now() - began);
  return outcome?.value;
}

export function say(name, text, elapsedMs) {
  const line = `${name.padEnd(10)} ${text}`;
  process.stdout.write(
    elapsedMs === undefined ? `${line}\n` : `${line.padEnd(56)} ${(elapsedMs / 1000).toFixed(1)} s\n`,
  );
}

/** Ends the process with the sentence of a trouble, or the stack of a bug. */
export function fail(error) {
  process.stderr.write(`\n${sentenceOf(error)}\n`);
  process.exitCode = 1;
}

function sentenceOf(error) {
  if (error?.name === "Trouble") return error.message;
  const remedy = remedyByCode[error?.code];
  return remedy !== undefined && error.path !== undefined
    ? `${error.path} could not be written (${error.code}): ${remedy}`
    : (error?.stack ?? String(error));
}

const remedyByCode = {
  EACCES: "give it to this user, or set DATA_DIR to a folder of this user's.",
  EPERM: "give it to this user, or set DATA_DIR to a folder of this user's.",
  EROFS: "set DATA_DIR to a folder on a disk that can be written.",
  ENOSPC: "free some space on that disk, then start again.",
};

/** How far the record of each practice has come, as the server last said. */
export type Heads = Readonly<Record<string, number>>;

/** How news arrive: as they happen, by asking now and then, or no more because nobody is signed in. */
export type LiveMode = "stream" | "poll" | "ended";

/** What one tab tells the others of its browser. */
export type TabMessage =
  | { readonly what: "mode"; readonly mode: LiveMode }
  | { readonly what: "cases"; readonly heads: Heads }
  | { readonly what: "desk"; readonly practices: readonly string[] };

type Tell = (message: TabMessage) => void;

/** A stream that said nothing for this long is dead, whatever the connection seems to be. */
const silentMs = 45_000;
/** A stream that says nothing at first does not get through. */
const firstMs = 10_000;
/** After so many streams that did not get through, the server is asked instead. */
const failuresMax = 2;
const pollMs = 15_000;
const pollHiddenMs = 60_000;
/** How many polls between two attempts at a stream. */
const pollsMax = 8;

/** Learns what changed, for all tabs of this browser, until the signal says that this tab goes or nobody is signed in. */
export async function lead(tell: Tell, signal: AbortSignal): Promise<void> {
  let failures = 0;
  let polls = 0;
  while (!signal.aborted) {
    if (failures < failuresMax) {
      const end = await stream(tell, signal);
      if (end === "signed-out") return tell({ what: "mode", mode: "ended" });
      failures = end === "through" ? 0 : failures + 1;
      // Not all at once, when a server starts again.
      await pause(500 + Math.random() * 2_000, signal);
      continue;
    }
    if (!(await poll(tell, signal))) return tell({ what: "mode", mode: "ended" });
    polls = (polls + 1) % pollsMax;
    if (polls === 0) failures = failuresMax - 1;
    await pause(document.hidden ? pollHiddenMs : pollMs, signal);
  }
}

/** One stream from its beginning to its end: whether it ever got through, and whether the session ended it. */
function stream(tell: Tell, signal: AbortSignal): Promise<"through" | "failed" | "signed-out"> {
  return new Promise((resolve) => {
    const source = new EventSource("/live");
    let receivedAt: number | undefined;
    let isOver = false;
    const openedAt = Date.now();
    const close = () => {
      source.close();
      clearInterval(watching);
      signal.removeEventListener("abort", close);
      resolve(isOver ? "signed-out" : receivedAt === undefined ? "failed" : "through");
    };
    const watching = setInterval(() => {
      const isDead = receivedAt === undefined ? Date.now() - openedAt > firstMs : Date.now() - receivedAt > silentMs;
      if (isDead) close();
    }, 5_000);
    const onEvent = (name: string, take: (data: string) => void) =>
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        if (receivedAt === undefined) tell({ what: "mode", mode: "stream" });
        receivedAt = Date.now();
        take(data);
      });
    // Safe because our own server writes these, and a browser reads them from no other.
    onEvent("cases", (data) => tell({ what: "cases", heads: JSON.parse(data) as Heads }));
    onEvent("desk", (data) => tell({ what: "desk", practices: JSON.parse(data) as string[] }));
    onEvent("beat", () => {});
    onEvent("ended", () => {
      isOver = true;
      close();
    });
    source.addEventListener("error", close);
    signal.addEventListener("abort", close);
  });
}

/** Asks once; false where nobody is signed in any more. */
async function poll(tell: Tell, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch("/live/heads", { signal, cache: "no-store" });
    if (answer.status === 401) return false;
    // Safe because our own server writes it.
    if (answer.ok) tell({ what: "cases", heads: (await answer.json()) as Heads });
    if (answer.ok) tell({ what: "mode", mode: "poll" });
  } catch {
    // No answer is not the end: the next may come.
  }
  return true;
}

/** Waits, and no longer than until the reader looks again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    const look = () => !document.hidden && ms >= pollMs && done();
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    document.addEventListener("visibilitychange", look);
  });
}

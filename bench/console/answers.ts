import type { ChildProcess } from "node:child_process";
import type { AnsweredPage } from "./time-answers.ts";

/** How long the server took over each answer, from a request's head to the last byte it wrote. */
export type Answers = {
  /** Of the answer to come for this address; ask before the request is sent. */
  readonly next: (url: string) => Promise<number>;
};

export function answersOf(server: ChildProcess): Answers {
  const waiting = new Map<string, (ms: number) => void>();
  server.on("message", (message: AnsweredPage) => {
    waiting.get(message.url)?.(message.ms);
    waiting.delete(message.url);
  });
  return { next: (url) => new Promise((resolve) => waiting.set(url, resolve)) };
}

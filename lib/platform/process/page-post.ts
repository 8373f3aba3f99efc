import { AsyncLocalStorage } from "node:async_hooks";
import { onePerProcess } from "./one-per-process.ts";

/** The progress of a page's POST. */
export type PagePost = {
  /** Our code has begun to work on it: a later failure is ours. */
  begun: boolean;
  /** It failed before that, so it could not be read. */
  unread: boolean;
};

function posts(): AsyncLocalStorage<PagePost> {
  return onePerProcess("page-posts", () => new AsyncLocalStorage<PagePost>());
}

/** Runs the handler of a POST, so that the functions below know which one is under way. */
export function withinPost<Value>(post: PagePost, run: () => Value): Value {
  return posts().run(post, run);
}

/** Marks that the POST under way was read and our code works on it; does nothing without one. */
export function noteBegun(): void {
  const post = posts().getStore();
  if (post && !post.unread) post.begun = true;
}

/** Notes that a request failed; returns whether it was a POST that our code had not begun to work on. */
export function noteUnread(): boolean {
  const post = posts().getStore();
  if (!post || post.begun) return false;
  post.unread = true;
  return true;
}

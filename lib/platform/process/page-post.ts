import { AsyncLocalStorage } from "node:async_hooks";

/** How far the post of a page came. */
export type PagePost = {
  /** Something of ours worked on it: what fails from then on is our failure. */
  begun: boolean;
  /** It failed before, so it could not be read. */
  unread: boolean;
};

const shared = globalThis as { priorAuthorizationPagePosts?: AsyncLocalStorage<PagePost> };

/** One a process, though Next bundles this module apart. */
function posts(): AsyncLocalStorage<PagePost> {
  shared.priorAuthorizationPagePosts ??= new AsyncLocalStorage<PagePost>();
  return shared.priorAuthorizationPagePosts;
}

/** Runs what answers a post, which then is known wherever that leads. */
export function withinPost<Value>(post: PagePost, run: () => Value): Value {
  return posts().run(post, run);
}

/** Says that the post under way was read and something of ours works on it; does nothing where none is. */
export function noteBegun(): void {
  const post = posts().getStore();
  if (post && !post.unread) post.begun = true;
}

/** Says that a request failed; whether that was a post that nothing of ours had begun to work on. */
export function noteUnread(): boolean {
  const post = posts().getStore();
  if (!post || post.begun) return false;
  post.unread = true;
  return true;
}

/**
 * Writes into the address what part of the page the reader looks at, so that it is there after a reload. The router is
 * passed over on purpose: told of it, it drops the answer to a form that is under way, which then waits for ever. When
 * the server next draws the page, the router writes its own address again.
 */
export function noteAddress(href: string): void {
  History.prototype.replaceState.call(window.history, window.history.state, "", href);
}

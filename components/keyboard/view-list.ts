import { storeList } from "./kept-list.tsx";
import { rowsHere } from "./rows.ts";

/** Keeps the list on this page, for going from case to case without it. */
export function keepList(): void {
  const tasks = [...new Set(rowsHere().flatMap(({ dataset }) => dataset.task ?? []))];
  const { pathname, search } = location;
  storeList({ href: `${pathname}${search}`, tasks });
}

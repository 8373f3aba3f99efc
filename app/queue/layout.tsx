import type { ReactNode } from "react";
import { LastSearchProvider } from "./search-box.tsx";

/** Stays while the pages of one list after another come and go. */
export default function QueueLayout({ children }: { readonly children: ReactNode }) {
  return <LastSearchProvider>{children}</LastSearchProvider>;
}

import type { ReactNode } from "react";
import { NextSearchProvider } from "./search-box.tsx";

/** Stays while the pages of one list after another come and go. */
export default function QueueLayout({ children }: { readonly children: ReactNode }) {
  return <NextSearchProvider>{children}</NextSearchProvider>;
}

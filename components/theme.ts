"use server";

import { cookies } from "next/headers";

const themes = ["system", "light", "dark"];

/** Keeps the reader's choice of light or dark for a year. */
export async function chooseTheme(form: FormData): Promise<void> {
  const theme = form.get("theme");
  if (typeof theme !== "string" || !themes.includes(theme)) return;
  (await cookies()).set("theme", theme, { path: "/", maxAge: 31_536_000, sameSite: "lax", httpOnly: true });
}

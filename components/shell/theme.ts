"use server";

import { cookies } from "next/headers";
import { textOf } from "#components/form/act-answer";

const themes = ["system", "light", "dark"];

/** Keeps the reader's choice of light or dark for a year. */
export async function chooseTheme(form: FormData): Promise<void> {
  const theme = textOf(form, "theme");
  if (!themes.includes(theme)) return;
  (await cookies()).set("theme", theme, { path: "/", maxAge: 31_536_000, sameSite: "lax", httpOnly: true });
}

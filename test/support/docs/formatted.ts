import { format } from "oxfmt";
import config from "../../../oxfmt.config.ts";

/** A text as `npm run format` would leave it in the file of that path. */
export async function formatted(path: string, text: string): Promise<string> {
  const { code, errors } = await format(path, text, config);
  if (errors.length > 0) throw new Error(`${path} cannot be formatted: ${JSON.stringify(errors)}`);
  return code;
}

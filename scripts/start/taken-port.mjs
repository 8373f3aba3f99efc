import { portState } from "../processes/ports.mjs";
import { trouble } from "../processes/report.mjs";

/** Refuses a port that cannot be listened on, and says what to do instead. */
export async function refuseTakenPort({ port, host }) {
  const states = await Promise.all([portState(port, host), host === "127.0.0.1" ? portState(port, "::1") : "free"]);
  if (states[0] === "forbidden")
    throw trouble(`Port ${port} may not be opened by this user: choose one above 1023, such as PORT=3000 npm start.`);
  if (states[0] === "no such address")
    throw trouble(`HOST is ${host}, which is no address of this machine: use 127.0.0.1, or 0.0.0.0 for every address.`);
  if (states.includes("taken"))
    throw trouble(
      `Port ${port} is in use by another program: stop that one, or choose another port with PORT=${port + 1} npm start.`,
    );
}

import "server-only";
import { sharedStore } from "#lib/db/db";
import { secondStep, type SecondStep } from "./sign-in-ticket.ts";
import { ticketOfCookie } from "./ticket-cookie.ts";

/** What this browser may show as the second step of its sign-in; undefined where it has none to take. */
export async function secondStepOfBrowser(): Promise<SecondStep | undefined> {
  return secondStep(sharedStore(), await ticketOfCookie());
}

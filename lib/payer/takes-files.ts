import { connectors } from "./connectors.ts";
import { isSupported, type Destination } from "./model/destination.ts";

/** Whether files go to the payer over its connection. */
export function takesFiles(destination: Destination): boolean {
  return connectors[destination.connector].carriesFiles && isSupported(destination, "files");
}

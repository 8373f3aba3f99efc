import { exitWithParent } from "#lib/platform/process/on-shutdown";
import { attacks } from "./attacks.ts";
import type { Scene } from "./scene.ts";

/** A process of its own, so that what an attack costs whoever makes it is not measured at the bystander. */
process.on("message", ({ name, scene }: { name: string; scene: Scene }) => void attacks[name]?.(scene));
exitWithParent(() => process.exit());
process.send?.("ready");

import ipaddr from "ipaddr.js";

/** Networks inside which this deployment may reach, beyond the public internet. */
export type Networks = readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];

/** What a network that is not the public internet is, for people; any other is a reserved one. */
const kinds: Readonly<Record<string, string>> = {
  unspecified: "no host at all",
  loopback: "this machine itself",
  private: "a private network",
  uniqueLocal: "a private network",
  deprecatedSiteLocal: "a private network",
  carrierGradeNat: "a carrier's inner network",
  linkLocal: "a link-local address, where cloud machines keep their credentials",
  multicast: "many hosts at once",
  broadcast: "many hosts at once",
  ipv4Mapped: "an address that stands for another",
  rfc6145: "an address that stands for another",
  rfc6052: "an address that stands for another",
  "6to4": "an address that stands for another",
  teredo: "an address that stands for another",
};

/** All that IANA has given out of IPv6 for the public internet. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** A cloud's own host for its machines, which looks public. */
const cloudHosts = ["168.63.129.16"];

/** Networks in CIDR parted by commas, or undefined where one is none. */
export function readNetworks(text: string): Networks | undefined {
  const parts = text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  return parts.every((part) => ipaddr.isValidCIDR(part)) ? parts.map((part) => ipaddr.parseCIDR(part)) : undefined;
}

/**
 * Where an address leads that nothing may be sent to, in words; undefined where
 * it may: the public internet, and what is allowed by name. An address that
 * stands for another is refused as it is, whatever it stands for.
 */
export function refusedNetwork(address: string, allowed: Networks): string | undefined {
  if (!ipaddr.isValid(address)) return "no address";
  const ip = ipaddr.parse(address);
  if (isWithin(address, allowed)) return undefined;
  const range = ip.range();
  if (range !== "unicast") return kinds[range] ?? "a reserved address";
  if (ip instanceof ipaddr.IPv6 && !ip.match(globalUnicast)) return "a reserved address";
  return cloudHosts.includes(ip.toString()) ? "a cloud's inner host" : undefined;
}

export function isWithin(address: string, networks: Networks): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.parse(address);
  return networks.some(([network, bits]) => network.kind() === ip.kind() && ip.match(network, bits));
}

/** Whether an address is this machine's alone. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === "loopback";
}

/**
 * What counts as one sender: an IPv4 address, or the 64 bits of an IPv6 address that name its network, since whoever
 * has one address of such a network has all of them (RFC 4291, 2.5.4).
 */
export function senderOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

import ipaddr from "ipaddr.js";

/** Networks that this deployment may connect to, beyond the public internet. */
export type Networks = readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];

/** Names for people of networks that are not the public internet; any other is a reserved one. */
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

/** The IPv6 range that IANA has allocated for the public internet. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** The metadata host of a cloud provider, whose address looks public. */
const cloudHosts = ["168.63.129.16"];

/** Reads networks in CIDR, separated by commas; undefined if one is invalid. */
export function readNetworks(text: string): Networks | undefined {
  const parts = text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  return parts.every((part) => ipaddr.isValidCIDR(part)) ? parts.map((part) => ipaddr.parseCIDR(part)) : undefined;
}

/**
 * The kind of network of a forbidden address, as a text; undefined for an allowed one: the public internet and the configured
 * networks. An address that embeds another one is refused as it is, whatever it embeds.
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

/** Whether an address is a loopback address. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === "loopback";
}

/**
 * What counts as one sender: an IPv4 address, or the 64 bits of an IPv6 address that name its network, since a host can use
 * any address of that network (RFC 4291, 2.5.4).
 */
export function senderOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/**
 * The network of an address, of IPv6 by its first groups of 16 bits: a host has as many addresses as it likes in its own,
 * and its household some networks.
 */
export function networkOf(address: string | undefined, groups: 3 | 4): string {
  const ofIpv6 = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1);
  if (ofIpv6 === undefined) return address ?? "nowhere";
  const [head = [], tail = []] = ofIpv6.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...zeros, ...tail].slice(0, groups).join(":");
}

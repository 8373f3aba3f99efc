/**
 * The network of an address; for IPv6 its first groups of 16 bits, because one host can use any address of its network, and
 * one household has several networks.
 */
export function networkOf(address: string | undefined, groups: 3 | 4): string {
  const ofIpv6 = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1);
  if (ofIpv6 === undefined) return address ?? "nowhere";
  const [head = [], tail = []] = ofIpv6.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...zeros, ...tail].slice(0, groups).join(":");
}

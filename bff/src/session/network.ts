import { isIPv4, isIPv6 } from 'node:net';

/** The network of an address, of the size that one household or office is given: /24, and /64 of IPv6. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const v4 = mapped ?? address;
  if (isIPv4(v4)) return `${v4.slice(0, v4.lastIndexOf('.'))}.0/24`;
  if (!isIPv6(address)) return 'unknown';
  const [before = '', after = ''] = address.split('%')[0]!.toLowerCase().split('::');
  const head = before.split(':').filter(Boolean);
  const tail = after.split(':').filter(Boolean);
  const groups = address.includes('::')
    ? [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
    : head;
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Whom a visitor is counted as: their address, and of IPv6, where everybody has millions, their network. */
export const visitorOf = (address: string): string =>
  isIPv6(address) && !/^::ffff:/i.test(address) ? networkOf(address) : address;

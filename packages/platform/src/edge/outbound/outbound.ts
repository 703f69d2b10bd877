import { Problem } from '@parley/protocol';
import ipaddr, { type IPv6 } from 'ipaddr.js';
import { lookup, promises } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, buildConnector, request } from 'undici';

/** `host:port` pairs that can be called although they are loopback or private. */
export type AllowedAddresses = (hostAndPort: string) => boolean;

export type OutboundOptions = {
  /** Returns whether a request can reach its non-public address `host:port`. */
  readonly allows: AllowedAddresses;
  readonly connectTimeoutMs: number;
  /** Concurrent calls to one server; more wait. Missing: no call waits, because the caller has its own limit. */
  readonly connections?: number;
};

export type OutboundRequest = {
  readonly method: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: string | null;
  readonly signal: AbortSignal;
};
/** The body must be read to its end or destroyed, which ends the call. */
export type OutboundResponse = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
};

/**
 * Makes every call to an address that a person typed. The check is part of connecting and takes the address that is
 * really dialled. So spellings, changing DNS responses and redirects (which are not followed) don't get around it. Only
 * public unicast addresses can be called, unless allowed as `host:port`; otherwise `platform.address-not-allowed`.
 */
export class OutboundClient {
  private agent: Agent;

  constructor(private readonly options: OutboundOptions) {
    this.agent = this.open();
  }

  /** Resolves with the head of the response; the body follows. Redirects are not followed. */
  async request(address: string, call: OutboundRequest): Promise<OutboundResponse> {
    return request(callable(address), { ...call, dispatcher: this.agent });
  }

  /**
   * Refuses an address that couldn't be called now, before it is saved. A name that doesn't resolve passes: its server
   * may come later, and the connection checks the address again.
   */
  async check(address: string): Promise<void> {
    const { hostname, port, protocol } = callable(address);
    const hostAndPort = `${hostname}:${port || portOf(protocol)}`;
    const host = hostname.replace(/^\[|\]$/g, '');
    const noAnswer = delay(this.options.connectTimeoutMs, [], { ref: false });
    const found = await Promise.race([promises.lookup(host, { all: true }).catch(() => []), noAnswer]);
    if (!found.every((each) => mayCall(each.address, hostAndPort, this.options))) throw refusal(hostAndPort);
  }

  /** Makes later calls use new connections, so that their addresses are checked again. Running calls continue. */
  renew(): void {
    const before = this.agent;
    this.agent = this.open();
    void before.close();
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private open(): Agent {
    return new Agent({
      connect: guardedConnector(this.options),
      connections: this.options.connections ?? null,
      keepAliveTimeout: 15_000,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }
}

function callable(address: string): URL {
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refusal(url.host);
  if (url.username !== '' || url.password !== '') throw refusal(url.host);
  return url;
}

const portOf = (protocol: string | undefined): string => (protocol === 'https:' ? '443' : '80');

const refusal = (host: string): Problem =>
  new Problem('platform.address-not-allowed', {
    detail: `${host} is not a public address. A platform admin can allow it, or the setting PARLEY_OUTBOUND_ALLOW=${host}.`,
  });

/** The global unicast addresses of IPv6, and those with special purposes (both by IANA). */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [IPv6, number];
const special = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map(
  (network) => ipaddr.parseCIDR(network) as [IPv6, number],
);

/** Returns whether an address is public unicast by the IANA registries. IPv4 inside IPv6 counts as the IPv4 address. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast';
  const isIn = (network: [IPv6, number]) => (parsed as IPv6).match(network);
  return isIn(globalUnicast) && !special.some(isIn);
}

/** Addresses where clouds give programs their secrets, besides all link-local ones. */
const tellSecrets = new Set(['100.100.100.200', 'fd00:ec2::254']);

/** Returns whether the address can never be allowed. A name passes: its address is checked when it is called. */
export function isNeverCalled(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(address)) return false;
  const dialled = ipaddr.process(address);
  return dialled.range() === 'linkLocal' || tellSecrets.has(dialled.toString());
}

const mayCall = (address: string, hostAndPort: string, { allows }: Pick<OutboundOptions, 'allows'>): boolean =>
  isPublicAddress(address) || (!isNeverCalled(address) && allows(hostAndPort));

function guardedConnector({ allows, connectTimeoutMs }: OutboundOptions): buildConnector.connector {
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const port = options.port || portOf(options.protocol);
    const isAllowed = (address: string) => mayCall(address, `${options.hostname}:${port}`, { allows });
    if (isIP(host) !== 0 && !isAllowed(host)) return callback(refusal(`${options.hostname}:${port}`), null);
    const connect = buildConnector({
      timeout: connectTimeoutMs,
      lookup: guardedLookup(isAllowed, `${options.hostname}:${port}`),
    });
    connect(options, callback);
  };
}

/** Resolves a name and returns allowed addresses only. One forbidden address among others refuses the name. */
function guardedLookup(isAllowed: (address: string) => boolean, hostAndPort: string): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address)))
        return callback(refusal(hostAndPort) as NodeJS.ErrnoException, '', 0);
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}

import { Problem } from '@parley/contracts';
import ipaddr from 'ipaddr.js';
import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, buildConnector, request } from 'undici';

/** `host:port` pairs that may be called although they are loopback or private. */
export type AllowedAddresses = (hostAndPort: string) => boolean;

export type OutboundOptions = {
  /** Whether this request may reach its non-public address; asked with `host:port`. */
  readonly allows: AllowedAddresses;
  readonly connectTimeoutMs: number;
  /** Calls to one server at the same time; more wait. Without it none waits: whoever calls has a bound of its own. */
  readonly connections?: number;
};

export type OutboundRequest = {
  readonly method: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: string | null;
  readonly signal: AbortSignal;
};
/** The body must be read to its end or destroyed, which ends the call. */
export type OutboundResponse = { readonly statusCode: number; readonly body: Readable };

/**
 * The only way out of Parley: every call that leaves for an address a person typed. The check happens inside the
 * connection, on the address that is really dialled, so neither spellings, nor DNS answers that change, nor redirects
 * get around it (redirects are not followed). Public unicast only; anything else must be allowed as `host:port`, else
 * `platform.address-not-allowed`.
 */
export class OutboundClient {
  private readonly agent: Agent;

  constructor(options: OutboundOptions) {
    this.agent = new Agent({
      connect: guardedConnector(options),
      connections: options.connections ?? null,
      keepAliveTimeout: 15_000,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Resolves with the response's head; the body comes as it is sent. Redirects are not followed. */
  async request(address: string, call: OutboundRequest): Promise<OutboundResponse> {
    const url = new URL(address);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refusal(url.host);
    if (url.username !== '' || url.password !== '') throw refusal(url.host);
    return request(url, { ...call, dispatcher: this.agent });
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

const refusal = (host: string): Problem =>
  new Problem('platform.address-not-allowed', {
    detail: `${host} is not a public address. An operator can allow it with PARLEY_OUTBOUND_ALLOW=${host}.`,
  });

/** Public unicast by the IANA registries; IPv4 inside IPv6 counts as what it carries. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'unicast';
}

function guardedConnector({ allows, connectTimeoutMs }: OutboundOptions): buildConnector.connector {
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const port = options.port || (options.protocol === 'https:' ? '443' : '80');
    const isAllowed = (address: string) => isPublicAddress(address) || allows(`${options.hostname}:${port}`);
    if (isIP(host) !== 0 && !isAllowed(host)) return callback(refusal(`${options.hostname}:${port}`), null);
    const connect = buildConnector({
      timeout: connectTimeoutMs,
      lookup: guardedLookup(isAllowed, `${options.hostname}:${port}`),
    });
    connect(options, callback);
  };
}

/** Resolves and lets only allowed addresses through; one bad answer among good ones refuses the name. */
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

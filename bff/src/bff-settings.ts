import type { RateTable } from './proxy/rate-limits.ts';

/** What a running BFF needs to know. */
export type BffSettings = {
  /** Folder of the built frontend. */
  readonly frontendFolder: string;
  /** Where people reach it; null: the address that it is asked by, if it is one of this machine. */
  readonly publicUrl: string | null;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** Plain http beyond this machine was asked for: the cookie loses its prefix and Secure. */
  readonly isInsecureHttp: boolean;
  /** Addresses whose X-Forwarded-For and -Proto count. */
  readonly trustedProxies: readonly string[];
  /** Requests a minute, by what they cost. */
  readonly rates: RateTable;
  /** Where errors of pages go; null: to Parley's own collector. */
  readonly sentryDsn: string | null;
};

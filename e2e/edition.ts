import type { Page } from 'playwright-core';

export type Account = { readonly name: string; readonly email: string; readonly password: string };

/** A running Parley, as a journey needs it. */
export type Product = {
  readonly url: string;
  /** Lets the first platform admin in; at the end the page asks for the first organisation. */
  letFirstAdminIn(page: Page, admin: Account, beforeSending?: () => Promise<void>): Promise<void>;
  /** The newest link to that page that was mailed to the address; rejects while there is none. */
  linkMailedTo(address: string, page: 'invitation' | 'reset-password'): Promise<string>;
  /** Those behind a balancer that served nothing up to now. */
  idleProcesses(): Promise<string[]>;
  /** What stands in its log; where it is one process. */
  log?(): string;
  close(): Promise<void>;
};

export type Edition = { start(settings: Record<string, string>): Promise<Product> };

import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { PersonPrincipal } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope } from '@parley/platform/mongo';
import { OutboundClient } from '@parley/platform/outbound';
import { ChatSettings } from '../../chat.config.ts';
import { Reloads } from '../../reloads.ts';
import { ProvidersRepository } from './providers.repository.ts';

const job = jobScope('outbound addresses are allowed per installation');

/**
 * The guarded way out to model servers, and which non-public addresses it may reach. Closes after the workers have
 * handed over.
 */
@Injectable()
export class Outbound implements OnModuleInit, OnApplicationShutdown {
  private consents = new Set<string>();
  /** For what somebody waits for: tests of providers, lists of models. */
  readonly client: OutboundClient;
  /** For answers. The places of the workers are their only bound: one that has a place must not wait for a connection. */
  readonly answers: OutboundClient;
  /** For what data connections read; they do not keep what somebody waits for from a connection. */
  readonly sources: OutboundClient;
  /** Reaches the usual ports of model servers on this machine and no other private address. */
  readonly local: OutboundClient;

  constructor(
    private readonly providers: ProvidersRepository,
    private readonly settings: ChatSettings,
    private readonly clock: Clock,
    private readonly reloads: Reloads,
  ) {
    const allowed = { allows: (address: string) => this.isAllowed(address), connectTimeoutMs: 10_000 };
    this.client = new OutboundClient({ ...allowed, connections: 32 });
    this.answers = new OutboundClient(allowed);
    this.sources = new OutboundClient({ ...allowed, connections: 8 });
    const places = Object.values(settings.modelServerPorts).map((port) => `127.0.0.1:${port}`);
    this.local = new OutboundClient({ allows: (address) => places.includes(address), connectTimeoutMs: 1_000 });
  }

  async onModuleInit(): Promise<void> {
    await this.reloads.add(() => this.reload());
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.client.close(), this.answers.close(), this.sources.close(), this.local.close()]);
  }

  /** Whether the address is one of a private network that may be called. */
  isLocal(baseUrl: string): boolean {
    return this.isAllowed(addressOf(baseUrl));
  }

  private isAllowed(address: string): boolean {
    return this.settings.outboundAllow.includes(address) || this.consents.has(address);
  }

  /** A platform admin agrees to an address for the whole installation. */
  async consent(baseUrl: string, { userId: givenBy, name: givenByName }: PersonPrincipal): Promise<void> {
    const _id = addressOf(baseUrl);
    await this.providers.consentsOf(job).insertOnce({ _id, givenBy, givenByName, at: this.clock.now() });
    await this.reload();
  }

  /** What was allowed and is no more is not called again, over no connection that is left. */
  async reload(): Promise<void> {
    const rows = await this.providers.consentsOf(job).find({}, { limit: 1_000 });
    const consents = new Set(rows.map(({ _id }) => _id));
    const isRevoked = [...this.consents].some((address) => !consents.has(address));
    this.consents = consents;
    if (isRevoked) for (const client of [this.client, this.answers, this.sources]) client.renew();
  }
}

/** Host and port, as they are allowed. */
function addressOf(baseUrl: string): string {
  const { hostname, port, protocol } = new URL(baseUrl);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

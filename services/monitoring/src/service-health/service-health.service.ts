import { Injectable } from '@nestjs/common';
import {
  lettersReplayed,
  mostLetters,
  readingServices,
  type getServiceHealth,
  type replayDeadLetters,
  type ServiceHealth,
  type tryDeadLetters,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { AllOrganisationsService } from '../all-organisations/index.ts';
import { lastSteps, MetricsRepository } from '../metrics/index.ts';
import { NowService } from '../now/index.ts';
import { PresenceService } from '../presence/index.ts';
import { EventPeers } from './event-peers.ts';

const providerMinutes = 60;

/** How the services do for one organisation, for platform admins: counts and times only. */
@Injectable()
export class ServiceHealthService {
  constructor(
    private readonly organisations: AllOrganisationsService,
    private readonly presence: PresenceService,
    private readonly now: NowService,
    private readonly metrics: MetricsRepository,
    private readonly events: EventPeers,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async read(input: InputOf<typeof getServiceHealth>): Promise<ServiceHealth> {
    const { orgId } = input.params;
    const own = input.scope.in(orgId);
    const { id, name } = await this.organisations.read(input);
    const [told, { running, queued }, sockets, providers] = await Promise.all([
      Promise.all(
        readingServices.map(async (service) => ({ service, events: await this.events.read(service, orgId) })),
      ),
      this.now.answers(own),
      this.presence.sockets(own),
      this.providers(own),
    ]);
    const letters = told
      .flatMap(({ service, events }) => (events?.letters ?? []).map((letter) => ({ ...letter, service })))
      .toSorted((one, other) => other.at.localeCompare(one.at));
    return {
      at: this.clock.now().toISOString(),
      organisation: { id, name },
      services: told.map(({ service, events }) => ({ service, events: events && withoutLetters(events) })),
      running,
      queued,
      sockets,
      providers,
      letters: letters.slice(0, mostLetters),
    };
  }

  async tryAgain(input: InputOf<typeof tryDeadLetters>): Promise<ResponseOf<typeof tryDeadLetters>> {
    await this.organisations.read(input);
    const {
      params,
      body: { service, ids },
    } = input;
    return { items: await this.events.tryAgain(service, params.orgId, ids) };
  }

  /** Written down before it is asked for: what was asked for and not told of would be worse than the other way round. */
  async replay(input: InputOf<typeof replayDeadLetters>): Promise<ResponseOf<typeof replayDeadLetters>> {
    await this.organisations.read(input);
    const {
      principal,
      params: { orgId },
      body: { service, ids },
    } = input;
    const there = await this.events.read(service, orgId);
    if (!there) throw new Problem('platform.unavailable');
    const open = ids.filter((id) => there.letters.some((letter) => letter.id === id));
    if (open.length === 0) return { count: 0 };
    const { userId: by } = principal;
    await this.work.run(principal, async (tx) => tx.record(lettersReplayed, { orgId, by, service, ids: open }));
    return { count: await this.events.replay(service, orgId, open) };
  }

  private async providers(own: OrganisationScope): Promise<ServiceHealth['providers']> {
    const starts = lastSteps('minute', providerMinutes, { at: this.clock.now(), timeZone: 'UTC' });
    const [from = '', to = ''] = [starts[0], starts.at(-1)];
    const rows = await this.metrics.read(own, 'minute', { dimension: 'provider', from, to });
    return [...Map.groupBy(rows, ({ id }) => id)].map(([id, minutes]) => ({
      id,
      attempts: sumOf(minutes, 'attempts'),
      failed: sumOf(minutes, 'failed'),
      cut: sumOf(minutes, 'cut'),
    }));
  }
}

const sumOf = <Name extends string>(rows: readonly { readonly [Each in Name]?: number }[], name: Name): number =>
  rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);

const withoutLetters = ({
  letters: _letters,
  ...counts
}: NonNullable<Awaited<ReturnType<EventPeers['read']>>>): NonNullable<ServiceHealth['services'][number]['events']> =>
  counts;

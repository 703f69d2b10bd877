import { Injectable } from '@nestjs/common';
import {
  jobsRestarted,
  lettersReplayed,
  mostLetters,
  mostRunAgain,
  readingServices,
  type getServiceHealth,
  type getSlotsOfOnly,
  type JobsOfKind,
  type replayDeadLetters,
  type runParkedJobs,
  type ReadingService,
  type ServiceHealth,
  type tryDeadLetters,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type OrgId, type ResponseOf } from '@parley/protocol';
import { AllOrganisationsService } from '../all-organisations/index.ts';
import { lastSteps, MetricsRepository } from '../metrics/index.ts';
import { NowService } from '../now/index.ts';
import { PresenceService } from '../presence/index.ts';
import { HealthPeers } from './health-peers.ts';

const providerMinutes = 60;
/** Other organisations with parked jobs that are named. */
const mostElsewhere = 10;

/** How the services do for one organisation, for platform admins: counts and times only. */
@Injectable()
export class ServiceHealthService {
  constructor(
    private readonly organisations: AllOrganisationsService,
    private readonly presence: PresenceService,
    private readonly now: NowService,
    private readonly metrics: MetricsRepository,
    private readonly peers: HealthPeers,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async read(input: InputOf<typeof getServiceHealth>): Promise<ServiceHealth> {
    const { orgId } = input.params;
    const own = input.scope.in(orgId);
    const { id, name } = await this.organisations.read(input);
    const [told, { running, queued }, sockets, providers, { slots }] = await Promise.all([
      Promise.all(readingServices.map((service) => this.ask(service, orgId))),
      this.now.answers(own),
      this.presence.sockets(own),
      this.providers(own),
      this.slots(),
    ]);
    const letters = told
      .flatMap(({ service, events }) => (events?.letters ?? []).map((letter) => ({ ...letter, service })))
      .toSorted((one, other) => other.at.localeCompare(one.at));
    return {
      at: this.clock.now().toISOString(),
      organisation: { id, name },
      services: told.map(({ service, events, jobs }) => ({
        service,
        events: events && withoutLetters(events),
        jobs: jobs && jobs.map(withoutOthers),
      })),
      parkedElsewhere: await this.elsewhere(
        input,
        told.flatMap(({ jobs }) => jobs ?? []),
      ),
      running,
      queued,
      slotsOfOnly: slots,
      sockets,
      providers,
      letters: letters.slice(0, mostLetters),
    };
  }

  /** Returns the slots of answers of an installation with one organisation. */
  async slots(): Promise<ResponseOf<typeof getSlotsOfOnly>> {
    return { slots: (await this.organisations.isOnlyOne()) ? await this.peers.answerSlots() : null };
  }

  async tryAgain(input: InputOf<typeof tryDeadLetters>): Promise<ResponseOf<typeof tryDeadLetters>> {
    await this.organisations.read(input);
    const {
      params,
      body: { service, ids },
    } = input;
    return { items: await this.peers.tryAgain(service, params.orgId, ids) };
  }

  /** Written down before it is asked for: what was asked for and not told of would be worse than the other way round. */
  async replay(input: InputOf<typeof replayDeadLetters>): Promise<ResponseOf<typeof replayDeadLetters>> {
    await this.organisations.read(input);
    const {
      principal,
      params: { orgId },
      body: { service, ids },
    } = input;
    const there = await this.peers.read(service, orgId);
    if (!there) throw new Problem('platform.unavailable');
    const open = ids.filter((id) => there.letters.some((letter) => letter.id === id));
    if (open.length === 0) return { count: 0 };
    const { userId: by } = principal;
    await this.work.run(principal, async (tx) => tx.record(lettersReplayed, { orgId, by, service, ids: open }));
    return { count: await this.peers.replay(service, orgId, open) };
  }

  /** Records the event first, for the same reason as a replay. */
  async runJobs(input: InputOf<typeof runParkedJobs>): Promise<ResponseOf<typeof runParkedJobs>> {
    await this.organisations.read(input);
    const {
      principal,
      params: { orgId },
      body: { service, ...which },
    } = input;
    const { kind, ids } = which;
    const there = await this.peers.readJobs(service, orgId);
    if (!there) throw new Problem('platform.unavailable');
    const jobs = there.find((each) => each.kind === kind);
    const open = ids && jobs?.parkedJobs.map(({ id }) => id).filter((id) => ids.includes(id));
    const jobCount = ids ? (open?.length ?? 0) : Math.min(jobs?.parkedHere ?? 0, mostRunAgain);
    if (jobCount === 0) return { count: 0 };
    await this.work.run(principal, async (tx) =>
      tx.record(jobsRestarted, { orgId, by: principal.userId, service, kind, jobCount }),
    );
    return { count: await this.peers.runJobs(service, orgId, { kind, ...(open && { ids: open }) }) };
  }

  private async ask(service: ReadingService, orgId: OrgId) {
    const [events, jobs] = await Promise.all([this.peers.read(service, orgId), this.peers.readJobs(service, orgId)]);
    return { service, events, jobs };
  }

  private async elsewhere(
    { scope }: Pick<InputOf<typeof getServiceHealth>, 'scope'>,
    jobs: readonly JobsOfKind[],
  ): Promise<ServiceHealth['parkedElsewhere']> {
    const counts = new Map<OrgId, number>();
    for (const { orgId, count } of jobs.flatMap(({ parkedElsewhere }) => parkedElsewhere))
      counts.set(orgId, (counts.get(orgId) ?? 0) + count);
    const most = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, mostElsewhere);
    if (most.length === 0) return [];
    const names = await this.organisations.namesOf(
      scope,
      most.map(([id]) => id),
    );
    return most.flatMap(([id, count]) => {
      const name = names.get(id);
      return name === undefined ? [] : [{ id, name, count }];
    });
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
}: NonNullable<Awaited<ReturnType<HealthPeers['read']>>>): NonNullable<ServiceHealth['services'][number]['events']> =>
  counts;

const withoutOthers = ({
  parkedElsewhere: _others,
  ...own
}: JobsOfKind): NonNullable<ServiceHealth['services'][number]['jobs']>[number] => own;

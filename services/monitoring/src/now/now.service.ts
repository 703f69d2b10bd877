import { Injectable } from '@nestjs/common';
import { getProgress, getSpendToday, mostRunningAnswers, type getNow, type MonitoringNow } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform, type InputOf } from '@parley/platform/service';
import type { OrgId, ResponseOf } from '@parley/protocol';
import { lastSteps, MetricsRepository, together, toFigures } from '../metrics/index.ts';
import { PresenceService } from '../presence/index.ts';
import { RunningAnswers, type RunningAnswerRow } from '../running-answers/index.ts';
import { errorsPerMinute, shownProgress, type Progress } from './progress.ts';

/** Whoever watches waits no longer than until the next second. */
const asking = { deadlineMs: 700, failMode: 'refuse' } as const;
const firstTokenMinutes = 15;
const spendKeptMs = 5_000;
const mostKept = 1_000;

/** What happens in an organisation this second; asked for only while somebody watches. */
@Injectable()
export class NowService {
  private readonly spends = new Map<OrgId, { readonly spend: MonitoringNow['spendToday']; readonly until: number }>();

  constructor(
    private readonly presence: PresenceService,
    private readonly running: RunningAnswers,
    private readonly metrics: MetricsRepository,
    private readonly platform: Platform,
    private readonly clock: Clock,
  ) {}

  async read({ scope, params }: InputOf<typeof getNow>): Promise<ResponseOf<typeof getNow>> {
    const own = scope.in(params.orgId);
    const [{ online }, answers, minutes, spendToday] = await Promise.all([
      this.presence.here(own),
      this.answers(own),
      this.minutes(own),
      this.spendToday(params.orgId),
    ]);
    return { at: this.clock.now().toISOString(), online: online.length, ...answers, ...minutes, spendToday };
  }

  /** What chat says of these; null while it does not answer. */
  async progress(
    { orgId }: OrganisationScope,
    rows: readonly RunningAnswerRow[],
  ): Promise<ReadonlyMap<string, Progress> | null> {
    if (rows.length === 0) return new Map();
    const body = { generationIds: rows.map(({ _id }) => _id) };
    const told = await this.platform.peers.call(getProgress, { params: { orgId }, body }, asking).catch(() => null);
    return told && new Map(told.items.map((item) => [item.generationId, item]));
  }

  /** How many are written and wait, and how fast they are. */
  async answers(own: OrganisationScope): Promise<Pick<MonitoringNow, 'running' | 'queued' | 'tokensPerSecond'>> {
    const [rows, count] = await Promise.all([this.running.list(own, mostRunningAnswers), this.running.countAll(own)]);
    const told = await this.progress(own, rows);
    const now = this.clock.now();
    const shown = rows.map((row) => shownProgress(row, told?.get(row._id), now));
    const queued = shown.filter(({ state }) => state === 'queued').length;
    const rate = shown.reduce((sum, { tokensPerSecond }) => sum + (tokensPerSecond ?? 0), 0);
    return { running: count - queued, queued, tokensPerSecond: told && Math.round(rate) };
  }

  private async minutes(own: OrganisationScope) {
    const at = this.clock.now();
    const starts = lastSteps('minute', firstTokenMinutes, { at, timeZone: 'UTC' });
    const rows = await this.metrics.totals(own, 'minute', starts);
    const { firstTokenP50Ms, firstTokenP95Ms } = toFigures(together(rows.values()));
    const failedIn = (start: string | undefined) => rows.get(start ?? '')?.failed ?? 0;
    const errors = { last: failedIn(starts.at(-2)), current: failedIn(starts.at(-1)), now: at };
    return { firstTokenP50Ms, firstTokenP95Ms, errorsPerMinute: errorsPerMinute(errors) };
  }

  private async spendToday(orgId: OrgId): Promise<MonitoringNow['spendToday']> {
    const now = this.clock.now().getTime();
    const kept = this.spends.get(orgId);
    if (kept && kept.until > now) return kept.spend;
    const spend = await this.platform.peers.call(getSpendToday, { params: { orgId } }, asking).catch(() => null);
    if (this.spends.size >= mostKept) this.spends.clear();
    this.spends.set(orgId, { spend, until: now + spendKeptMs });
    return spend;
  }
}

import { mostDenials, noteDenials, type PersonPrincipal } from '@parley/contracts';
import { every } from '@parley/platform/every';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import type { BodyOf, RouteContract } from '@parley/protocol';

type Denial = BodyOf<typeof noteDenials>['items'][number];
const tellEveryMs = 10_000;
const minuteMs = 60_000;
/** More are not counted until those that there are have been told. */
const mostKept = 5_000;
const telling = { deadlineMs: 10_000, failMode: 'refuse' } as const;

/**
 * What people were refused within their organisation, for its audit log: one entry per person, route and minute, told
 * when the minute is over and at the end of the process. A process that is killed takes its last minute with it.
 */
export class Denials {
  private readonly kept = new Map<string, Denial>();
  private readonly telling = every('tells denials', tellEveryMs, () => this.tell(Date.now() - minuteMs));
  private readonly platform: Platform;

  constructor(platform: Platform) {
    this.platform = platform;
    this.telling.start(platform.logger);
  }

  note({ userId, name, organisation }: PersonPrincipal, { method, path }: RouteContract, now = Date.now()): void {
    if (!organisation) return;
    const { orgId } = organisation;
    const route = `${method} ${path}`;
    const key = `${orgId} ${userId} ${route} ${Math.floor(now / minuteMs)}`;
    const { count = 0, ...first } = this.kept.get(key) ?? {};
    if (count === 0 && this.kept.size >= mostKept) return;
    const at = new Date(now).toISOString();
    this.kept.set(key, { id: newId('auditEntry'), orgId, userId, name, route, at, ...first, count: count + 1 });
  }

  /** Tells those of the minutes that were over by then; what org does not take stays. */
  async tell(until: number): Promise<void> {
    const over = [...this.kept].filter(([, { at }]) => minuteOf(at) <= minuteOf(until));
    for (let from = 0; from < over.length; from += mostDenials) {
      const told = over.slice(from, from + mostDenials);
      try {
        await this.platform.peers.call(noteDenials, { body: { items: told.map(([, denial]) => denial) } }, telling);
      } catch (error) {
        return this.platform.logger.warn({ count: over.length - from, err: error }, 'denials are told later');
      }
      for (const [key] of told) this.kept.delete(key);
    }
  }

  async close(): Promise<void> {
    await this.telling.stop();
    await this.tell(Date.now());
  }
}

const minuteOf = (at: string | number): number => Math.floor(new Date(at).getTime() / minuteMs);

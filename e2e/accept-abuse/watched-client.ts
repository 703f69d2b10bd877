import { ParleyClient } from '@parley/testing/client';
import { setTimeout as wait } from 'node:timers/promises';

const timeoutMs = 60_000;
const againAfterMs = 1_000;
const mostAttempts = 20;
const mostShown = 20;

/** Counts what the product answers to everything that attacks it. */
export class Watch {
  readonly statuses = new Map<number, number>();
  /** What was answered with 500, the first of them. */
  readonly broken: string[] = [];

  note(status: number, what: string): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 500 && this.broken.length < mostShown) this.broken.push(what);
  }

  get summary(): string {
    const byStatus = [...this.statuses].toSorted(([one], [other]) => one - other);
    return byStatus.map(([status, count]) => `${count} x ${status}`).join(', ');
  }
}

/** A client whose answers are counted. `raw` rejects when there is none within a minute. */
export class WatchedClient extends ParleyClient {
  /** Asks again for what is unavailable now: an attacker goes on until the attack is complete. */
  isPersistent = true;
  private readonly watch: Watch;

  constructor(url: string, watch: Watch) {
    super(url);
    this.watch = watch;
  }

  override async request(
    method: string,
    path: string,
    options: Parameters<ParleyClient['raw']>[2] = {},
  ): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await super.request(method, path, options);
      if (!this.isPersistent || response.status !== 503 || attempt === mostAttempts) return response;
      await wait(againAfterMs);
    }
  }

  override async raw(
    method: string,
    path: string,
    options: Parameters<ParleyClient['raw']>[2] = {},
  ): Promise<Response> {
    const response = await super.raw(method, path, { signal: AbortSignal.timeout(timeoutMs), ...options });
    this.watch.note(response.status, `${method} ${path}`);
    return response;
  }

  /** The status only; the body is read and thrown away. */
  async statusOf(...request: Parameters<ParleyClient['raw']>): Promise<number> {
    const response = await this.raw(...request);
    await response.arrayBuffer();
    return response.status;
  }
}

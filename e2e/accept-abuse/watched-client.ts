import { ParleyClient } from '@parley/testing/client';
import { setTimeout as wait } from 'node:timers/promises';

const timeoutMs = 60_000;
const againAfterMs = 1_000;
const mostAttempts = 20;
const mostShown = 20;
const unavailable = [503, 504];

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
  /** Asks again for what is unavailable now or had no answer: an attacker goes on until the attack is complete. */
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
      const isLast = !this.isPersistent || attempt === mostAttempts;
      try {
        const response = await super.request(method, path, options);
        if (isLast || !unavailable.includes(response.status)) return response;
        await response.arrayBuffer();
      } catch (error) {
        // The connection was closed while it was idle: whether the process lives is judged by itself.
        if (isLast || !(error instanceof TypeError)) throw error;
      }
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

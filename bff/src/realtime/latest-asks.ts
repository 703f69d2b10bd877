import { Problem } from '@parley/protocol';

type Lane<Request, Answer> = { current: Promise<Answer>; next: Promise<Answer> | null; latest: Request };

/**
 * One run at a time per key. Those who ask meanwhile share one more run after it, with the newest request; who asks
 * while as many as allowed wait is refused.
 */
export class LatestAsks<Request, Answer> {
  private readonly lanes = new Map<string, Lane<Request, Answer>>();
  private readonly run: (request: Request) => Promise<Answer>;
  private readonly most: number;
  private waiting = 0;

  constructor(run: (request: Request) => Promise<Answer>, most: number) {
    this.run = run;
    this.most = most;
  }

  async ask(key: string, request: Request): Promise<Answer> {
    if (this.waiting >= this.most)
      throw new Problem('platform.rate-limited', { detail: 'Wait for what was asked before.', retryAfterSeconds: 1 });
    this.waiting += 1;
    try {
      return await this.join(key, request);
    } finally {
      this.waiting -= 1;
    }
  }

  private join(key: string, request: Request): Promise<Answer> {
    const lane = this.lanes.get(key);
    if (!lane) return this.start(key, request);
    lane.latest = request;
    lane.next ??= lane.current.then(
      () => this.start(key, lane.latest),
      () => this.start(key, lane.latest),
    );
    return lane.next;
  }

  private start(key: string, request: Request): Promise<Answer> {
    const current = this.run(request).finally(() => {
      if (this.lanes.get(key) === lane && !lane.next) this.lanes.delete(key);
    });
    const lane: Lane<Request, Answer> = { current, next: null, latest: request };
    this.lanes.set(key, lane);
    return current;
  }
}

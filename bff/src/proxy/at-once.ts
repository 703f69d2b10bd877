import { atOnceOf, waitingLimits } from '@parley/contracts';
import type { Bound, Counts } from '@parley/platform/counts';
import { jsonBodyLimitOf, Problem, type AtOnce, type RouteContract } from '@parley/protocol';
import type { Request, Response } from 'express';
import { visitorOf } from '../session/network.ts';
import type { Admitted } from './api-gate.ts';

/** A body is on its way for some seconds at least. */
const retryAfterSeconds = 2;
const lookEveryMs = 250;
/** A person has at most this part of a process's bytes, so that few can't take all of them. */
const personsPart = 1 / 4;

type Named = AtOnce & { readonly name: string };
type Line = { running: number; readonly waiting: Set<() => void> };
type Release = () => void;

/**
 * Limits what runs at the same time as each route or its cost class declares it (`atOnceOf`), before anything of the body
 * is read. Requests are counted over all replicas until their answer has ended; where the class says so, one too many
 * waits, in a line of its person in this process, and is `platform.rate-limited` after that. Bytes of bodies are counted
 * in this process until the body has come: beyond them it is `platform.unavailable`.
 */
export class AtOnceGate {
  /** By route, and by route and person. */
  private readonly bytes = new Map<string, number>();
  /** By class or route, and person. */
  private readonly lines = new Map<string, Line>();
  private readonly counts: Pick<Counts, 'holdAll'>;

  constructor(counts: Pick<Counts, 'holdAll'>) {
    this.counts = counts;
  }

  /** All is given back when the response closes, whether it is answered or its caller has left. */
  async take(admitted: Admitted, request: Request, response: Response): Promise<void> {
    const limits = atOnceOf(admitted.route);
    if (!limits) return;
    const letGo = this.takeBytes(limits, admitted, request);
    request.once('end', letGo);
    whenClosed(response, letGo);
    try {
      const bounds = boundsOf(limits, admitted, request);
      whenClosed(
        response,
        await (limits.waits ? this.enterInLine(limits, admitted, bounds) : this.counts.holdAll(bounds)),
      );
    } catch (error) {
      letGo();
      throw error;
    }
  }

  /** People who have something running of a class; each class counts. */
  get lineCount(): number {
    return this.lines.size;
  }

  /** Returns how to give them back, which counts once. */
  private takeBytes({ bytes: most }: Named, { route, caller }: Admitted, request: Request): Release {
    if (most === undefined || !caller) return () => undefined;
    const bytes = bytesOf(request, route);
    const owners = [
      { key: route.route, most },
      { key: `${route.route} ${caller.userId}`, most: most * personsPart },
    ];
    if (owners.some((owner) => (this.bytes.get(owner.key) ?? 0) + bytes > owner.most))
      throw new Problem('platform.unavailable', {
        detail: 'Too much is being sent at once. Try again in a moment.',
        retryAfterSeconds,
      });
    for (const { key } of owners) this.add(key, bytes);
    let isHeld = true;
    return () => {
      if (isHeld) for (const { key } of owners) this.add(key, -bytes);
      isHeld = false;
    };
  }

  private add(key: string, by: number): void {
    const bytes = (this.bytes.get(key) ?? 0) + by;
    if (bytes > 0) this.bytes.set(key, bytes);
    else this.bytes.delete(key);
  }

  private async enterInLine(limits: Named, { caller }: Admitted, bounds: readonly Bound[]): Promise<Release> {
    if (!caller || limits.person === undefined) return this.counts.holdAll(bounds);
    const key = `${limits.name} ${caller.userId}`;
    const line = this.lines.get(key) ?? { running: 0, waiting: new Set() };
    this.lines.set(key, line);
    const until = performance.now() + waitingLimits.forMs;
    if (line.running < limits.person) line.running += 1;
    else await wait(line, bounds[0]!);
    const leave = (): void => this.leave(key, line);
    try {
      const release = await this.holdUntil(until, bounds);
      return () => (release(), leave());
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Looks again and again while other replicas have all that the person can have, or the organisation has none left. */
  private async holdUntil(until: number, bounds: readonly Bound[]): Promise<Release> {
    for (;;) {
      try {
        return await this.counts.holdAll(bounds);
      } catch (error) {
        if (performance.now() + lookEveryMs > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      }
    }
  }

  private leave(key: string, line: Line): void {
    const [next] = line.waiting;
    if (next) {
      line.waiting.delete(next);
      next();
      return;
    }
    line.running -= 1;
    if (line.running === 0) this.lines.delete(key);
  }
}

/** Resolves when a request that ran has ended. */
function wait({ waiting }: Line, { refusal: detail }: Bound): Promise<void> {
  const tooMany = (): Problem => new Problem('platform.rate-limited', { retryAfterSeconds, detail });
  if (waiting.size >= waitingLimits.most) throw tooMany();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    waiting.delete(resolve);
    reject(tooMany());
  }, waitingLimits.forMs);
  waiting.add(resolve);
  return promise.finally(() => clearTimeout(timer));
}

function whenClosed(response: Response, act: Release): void {
  if (response.closed || response.destroyed) act();
  else response.once('close', act);
}

/** One that doesn't say how long it is counts as long as it can be. */
function bytesOf({ headers }: Request, route: RouteContract): number {
  const most = jsonBodyLimitOf(route);
  const declared = Number(headers['content-length'] ?? most);
  return headers['transfer-encoding'] === undefined ? Math.min(declared, most) : most;
}

/** Returns the bounds of a caller; the one of the person is the first. */
function boundsOf({ name, ...limits }: Named, { caller }: Admitted, request: Request): Bound[] {
  const of = (who: string, most: number | undefined, has: string): Bound[] =>
    most === undefined
      ? []
      : [
          {
            key: `running:${name}:${who}`,
            most,
            refusal: `${has} ${most} of these requests running, which is the limit. Wait for some of them.`,
          },
        ];
  if (!caller) return of(visitorOf(request.ip ?? ''), limits.address, 'Your network has');
  const { userId, orgId, key } = caller;
  return [
    ...of(userId, limits.person, 'You have'),
    ...(key === undefined ? [] : of(`key:${key}`, limits.key, 'This API key has')),
    ...(orgId === null ? [] : of(`of:${orgId}`, limits.organisation, 'Your organisation has')),
  ];
}

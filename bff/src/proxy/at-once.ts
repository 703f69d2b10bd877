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
type Release = () => void;
type Waiting = PromiseWithResolvers<Release> & { readonly bounds: readonly Bound[]; readonly until: number };
type Line = { readonly waiting: Waiting[]; wake: () => void };

/**
 * Limits what runs at the same time as each route or its cost class declares it (`atOnceOf`), before anything of the body
 * is read. Requests are counted over all replicas until their answer has ended. Where the class says so, one too many
 * waits in a line of its person or address in this process, and is `platform.rate-limited` after that. Bytes of bodies
 * are counted in this process until the body has come: beyond them it is `platform.unavailable`.
 */
export class AtOnceGate {
  /** By route, and by route and person. */
  private readonly bytes = new Map<string, number>();
  /** Holds the lines of waiting requests, by class or route and by person or address. Empty lines are removed. */
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
      whenClosed(response, await (limits.waits ? this.enterInLine(bounds) : this.counts.holdAll(bounds)));
    } catch (error) {
      letGo();
      throw error;
    }
  }

  /** Returns the number of lines with waiting requests. */
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

  private async enterInLine(bounds: readonly Bound[]): Promise<Release> {
    const { key, refusal: detail } = bounds[0]!;
    try {
      if (!this.lines.has(key)) return await this.hold(bounds);
    } catch {
      // Waits like those that find a line.
    }
    const line = this.lines.get(key) ?? { waiting: [], wake: () => undefined };
    if (line.waiting.length >= waitingLimits.most)
      throw new Problem('platform.rate-limited', { retryAfterSeconds, detail });
    const waiting = { ...Promise.withResolvers<Release>(), bounds, until: performance.now() + waitingLimits.forMs };
    this.lines.set(key, line);
    if (line.waiting.push(waiting) === 1) void this.serve(key, line);
    return waiting.promise;
  }

  /** Asks for the first of a line when a request of theirs has ended here, and every look: other replicas count, too. */
  private async serve(key: string, line: Line): Promise<void> {
    for (let first = line.waiting[0]; first; first = line.waiting[0]) {
      const ended = Promise.withResolvers<void>();
      line.wake = ended.resolve;
      try {
        first.resolve(await this.hold(first.bounds));
      } catch (error) {
        if (performance.now() + lookEveryMs <= first.until) {
          const timer = setTimeout(ended.resolve, lookEveryMs);
          await ended.promise;
          clearTimeout(timer);
          continue;
        }
        first.reject(error);
      }
      line.waiting.shift();
    }
    this.lines.delete(key);
  }

  private async hold(bounds: readonly Bound[]): Promise<Release> {
    const release = await this.counts.holdAll(bounds);
    return () => (release(), this.lines.get(bounds[0]!.key)?.wake());
  }
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

import { jsonBodyLimitOf, Problem, type AtOnce, type RouteContract } from '@parley/protocol';
import { ComeBack, type Bound, type Counts } from '@parley/platform/counts';
import type { Request, Response } from 'express';
import type { Admitted } from './api-gate.ts';
import type { Caller } from './rate-limits.ts';

type Bounded = RouteContract & { readonly atOnce: AtOnce };
const isBounded = (route: RouteContract): route is Bounded => route.atOnce !== undefined;

/** A body is on its way for some seconds at least. */
const retryAfterSeconds = 2;
/** A person has at most this part of a process's bytes, so that few can't take all of them. */
const personsPart = 1 / 4;

/**
 * Bounds what runs of a route at once as the route declares it, before anything of the body is read. Requests are counted
 * over all replicas until their answer has ended: one too many is `platform.rate-limited`. Bytes of bodies are counted in
 * this process until the body has come: beyond them it is `platform.unavailable`.
 */
export class RoutesAtOnce {
  /** By route, and by route and person. */
  private readonly bytes = new Map<string, number>();
  private readonly comeBack = new ComeBack();
  private readonly counts: Pick<Counts, 'holdAll'>;

  constructor(counts: Pick<Counts, 'holdAll'>) {
    this.counts = counts;
  }

  /** Both are given back when the response closes, whether it is answered or its caller has left. */
  async take({ route, caller }: Admitted, request: Request, response: Response): Promise<void> {
    if (!caller || !isBounded(route)) return;
    const letGo = this.takeBytes(route, caller, bytesOf(request, route));
    request.once('end', letGo);
    whenClosed(response, letGo);
    try {
      whenClosed(response, await this.enter(route, caller));
    } catch (error) {
      letGo();
      throw error;
    }
  }

  /** Returns how to give them back, which counts once. */
  private takeBytes({ route, atOnce }: Bounded, { userId }: Caller, bytes: number): () => void {
    const flows = [
      { key: route, most: atOnce.bytes },
      { key: `${route} ${userId}`, most: atOnce.bytes * personsPart },
    ];
    if (flows.some(({ key, most }) => (this.bytes.get(key) ?? 0) + bytes > most))
      throw new Problem('platform.unavailable', {
        detail: 'Too much is being sent at once. Try again in a moment.',
        retryAfterSeconds,
      });
    for (const { key } of flows) this.add(key, bytes);
    let isHeld = true;
    return () => {
      if (isHeld) for (const { key } of flows) this.add(key, -bytes);
      isHeld = false;
    };
  }

  private add(key: string, by: number): void {
    const bytes = (this.bytes.get(key) ?? 0) + by;
    if (bytes > 0) this.bytes.set(key, bytes);
    else this.bytes.delete(key);
  }

  /** Returns how to leave; who finds no room is told when there should be some. */
  private async enter(route: Bounded, caller: Caller): Promise<() => void> {
    const enteredAt = performance.now();
    try {
      const leave = await this.counts.holdAll(boundsOf(route, caller));
      return () => {
        leave();
        this.comeBack.noteEnd(performance.now() - enteredAt);
      };
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'platform.rate-limited') throw error;
      const inSeconds = this.comeBack.secondsFor(`${route.route} ${caller.userId}`, route.atOnce.person);
      throw new Problem(error.code, { ...error.extras, retryAfterSeconds: inSeconds }, { cause: error });
    }
  }
}

function whenClosed(response: Response, act: () => void): void {
  if (response.closed || response.destroyed) act();
  else response.once('close', act);
}

/** One that doesn't say how long it is counts as long as it can be. */
function bytesOf({ headers }: Request, route: RouteContract): number {
  const most = jsonBodyLimitOf(route);
  const declared = Number(headers['content-length'] ?? most);
  return headers['transfer-encoding'] === undefined ? Math.min(declared, most) : most;
}

function boundsOf({ route, atOnce }: Bounded, { userId, orgId, key }: Caller): Bound[] {
  const of = (who: string, most: number, has: string): Bound => ({
    key: `running:${route}:${who}`,
    most,
    refusal: `${has} ${most} of these requests running, which is the limit. Wait for some of them.`,
  });
  return [
    ...(key === undefined ? [] : [of(key, atOnce.key, 'This API key has')]),
    of(userId, atOnce.person, 'You have'),
    ...(orgId === null ? [] : [of(`of:${orgId}`, atOnce.organisation, 'Your organisation has')]),
  ];
}

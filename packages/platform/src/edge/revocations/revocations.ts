import {
  apiKeyId,
  listAuthRevocations,
  listOrgRevocations,
  type PersonPrincipal,
  type Revocation,
  type SessionEnd,
  type SessionEndedMessage,
} from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { clockOffset } from '../../base/clock/index.ts';
import { every, type Upkeep } from '../../base/every/index.ts';
import type { Logger } from '../../base/logging/index.ts';
import type { Doorbell } from '../../ports/doorbell/doorbell.ts';
import type { Peers } from '../peers/index.ts';
import { revocationsBell, revocationsPerPage } from './revocation-log.ts';

/**
 * Sets the time from the start of an answered poll to the next one, which also finds revocations whose ring was lost.
 */
const pollMs = 600;
/** Sets the shortest wait from the end of a poll, failed or not, to the next regular one. Rings and checks skip it. */
const pauseMs = 200;
/** Sets the poll interval if owners and feed share a process: no ring is lost, so polling is only a safety net. */
const alonePollMs = 30_000;
/** Without a listener, the feed stops polling this long after the last check. */
const restAfterMs = 2_000;
/** Limits the age of the last successful poll of both owners: with an older one, no cached principal is valid. */
const freshForMs = 1_000;
/** Limits a poll's time. Longer than `freshForMs`: a slow answer still helps, as callers wait and aren't refused. */
const pollTimeoutMs = 2_000;
/** Starts another poll if the last one takes longer than this. With more polls at once a busy machine stays busy. */
const patienceMs = 800;
const feeds = { auth: listAuthRevocations, org: listOrgRevocations } as const;
type Owner = keyof typeof feeds;
const owners = Object.keys(feeds) as Owner[];
/** Waits by a timer that keeps no process alive. */
const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());

export type RevocationSources = {
  readonly peers: Peers;
  readonly doorbell: Doorbell;
  readonly logger: Logger;
  /** True if auth and org are in this process, so that none of their rings is lost. */
  readonly isAlone: boolean;
};
type Listener = (revocation: Revocation) => void;
/** The times of an owner's first ring since its last successful poll, and of its latest ring. */
type Rung = { readonly first: number; readonly last: number };

/**
 * Tracks what was revoked, at most 1 s late, without the event bus: polls `GET /internal/<owner>/revocations` of the
 * owners, auth and org, within 50 ms after either rings. Rings can be lost, so it also polls every 600 ms, and 200 ms
 * after an error. If a poll isn't answered within 1 s, it starts another poll: a hanging copy of a service can't block
 * it (ADR 0059).
 * Unless a listener keeps it polling, it pauses 2 s after the last check, to spare auth and org; the next `check` waits
 * for a poll. If both owners run in this process, no ring is lost: it polls after a ring and every 30 s. It keeps each
 * entry for longer than any token or cached principal lives.
 */
export class RevocationFeed {
  private readonly sources: RevocationSources;
  private readonly polling: Upkeep;
  private readonly rung = new Map<Owner, Rung>();
  private stopHearing: (() => void)[] = [];
  private readonly cursors = new Map<Owner, number>();
  private readonly polledAt = new Map<Owner, number>();
  private readonly away = new Set<Owner>();
  private readonly voids = new Map<string, Pick<Revocation, 'rightsVersion' | 'reason'> & { at: number }>();
  private readonly listeners = new Set<Listener>();
  /** Listeners that keep the feed polling. */
  private readonly waiting = new Set<Listener>();
  private latest: { readonly at: number; readonly outcome: Promise<void> } | null = null;
  private readonly known = Promise.withResolvers<void>();
  private askedAt = Number.NEGATIVE_INFINITY;
  private isClosed = false;
  private offset = clockOffset();

  constructor(sources: RevocationSources) {
    this.sources = sources;
    const everyMs = sources.isAlone ? alonePollMs : pollMs;
    this.polling = every('polls revocations', everyMs, () => this.pollUnlessResting());
  }

  /**
   * Starts polling, until the feed is closed. Resolves after the first successful poll of both owners; auth and org can
   * start later than this process.
   */
  start(): Promise<void> {
    const { doorbell } = this.sources;
    this.stopHearing = owners.map((owner) => doorbell.on(revocationsBell(owner), () => this.hear(owner)));
    this.polling.start(this.sources.logger);
    return this.known.promise;
  }

  /**
   * Rejects with `platform.unauthenticated` if the session ended, with `platform.rights-changed` if the permissions
   * changed since the token was signed. Rejects with `platform.unavailable` if the feed doesn't know everything that
   * was revoked until a second before the call. Waits for a poll if nothing is known yet, after a pause of the process,
   * or on a busy machine.
   */
  async check(principal: PersonPrincipal): Promise<void> {
    const askedAt = performance.now();
    if (!this.isFresh(askedAt)) await this.pollNow();
    if (!this.isFresh(askedAt))
      throw new Problem('platform.unavailable', {
        detail: 'Parley cannot check your access right now. Try again in a moment.',
      });
    if (this.isSignedOut(principal)) throw this.endedProblem(principal);
    if (this.hasOldRights(principal)) throw new Problem('platform.rights-changed');
  }

  /** Returns the problem for an ended session. API keys get another one, because an API client can't sign in again. */
  private endedProblem({ sessionKey }: PersonPrincipal): Problem {
    if (apiKeyId.safeParse(sessionKey).success)
      return new Problem('auth.api-key-invalid', { detail: 'It was revoked.' });
    return signedOut(this.endOf(sessionKey));
  }

  /**
   * Returns whether the principal is revoked, by the polls so far. Callers that use only this must listen, so that
   * polling doesn't pause.
   */
  isRevoked(principal: PersonPrincipal): boolean {
    return this.isSignedOut(principal) || this.hasOldRights(principal);
  }

  private isSignedOut({ sessionKey, userId }: PersonPrincipal): boolean {
    return this.voids.has(`session ${sessionKey}`) || this.voids.has(`user ${userId}`);
  }

  /**
   * Returns whether the permissions changed. Their versions grow within an organisation, so a person who comes back has
   * a newer version.
   */
  private hasOldRights({ userId, organisation }: PersonPrincipal): boolean {
    if (!organisation) return false;
    const { orgId, rightsVersion } = organisation;
    return [`membership ${orgId}/${userId}`, `organisation ${orgId}`].some((subject) => {
      const ended = this.voids.get(subject);
      return ended !== undefined && (ended.rightsVersion === null || rightsVersion < ended.rightsVersion);
    });
  }

  /** Returns how a session ended; null if the feed doesn't know, or has forgotten it. */
  endOf(sessionKey: string): SessionEnd | null {
    return this.voids.get(`session ${sessionKey}`)?.reason ?? null;
  }

  /** Returns the reason that the tabs of a revoked principal are given. */
  toldTo(principal: PersonPrincipal): SessionEndedMessage['reason'] {
    return this.isSignedOut(principal) ? this.endOf(principal.sessionKey) : 'access-lost';
  }

  /**
   * Returns whether the feed knows everything that was revoked until a second before `at` (`performance.now()`, by
   * default now). Knowledge from before the machine slept doesn't count.
   */
  isFresh(at = performance.now()): boolean {
    this.askedAt = performance.now();
    if (this.hasSlept()) {
      this.polledAt.clear();
      this.polling.wake(0);
    }
    const oldest = Math.min(...owners.map((owner) => this.knownUntil(owner, at)));
    return at - oldest < freshForMs;
  }

  /** Returns the time up to which the feed knows all revocations of an owner, at most `at`. */
  private knownUntil(owner: Owner, at: number): number {
    const polledAt = this.polledAt.get(owner);
    if (polledAt === undefined) return Number.NEGATIVE_INFINITY;
    if (!this.sources.isAlone) return polledAt;
    return this.isAwaited(owner) ? Math.max(polledAt, this.rung.get(owner)!.first) : at;
  }

  /** Returns true if an owner rang since its last poll, or was never polled. */
  private isAwaited(owner: Owner): boolean {
    return (
      (this.rung.get(owner)?.last ?? Number.NEGATIVE_INFINITY) >= (this.polledAt.get(owner) ?? Number.NEGATIVE_INFINITY)
    );
  }

  private get isAnyAwaited(): boolean {
    return owners.some((owner) => this.isAwaited(owner));
  }

  private hear(owner: Owner): void {
    const now = performance.now();
    this.rung.set(owner, { first: this.isAwaited(owner) ? (this.rung.get(owner)?.first ?? now) : now, last: now });
    this.polling.wake();
  }

  /** Returns whether the machine slept. The monotonic clock stands still during sleep, so only the wall clock tells. */
  private hasSlept(): boolean {
    const offset = clockOffset();
    const isJump = Math.abs(offset - this.offset) > freshForMs;
    this.offset = offset;
    return isJump;
  }

  /**
   * Calls back for each new revocation, at most 1 s late, and keeps the feed polling. With `whileAsked`, the feed
   * pauses 2 s after the last `check` or `isFresh`, and the next `check` waits for a poll. Returns a function that
   * unsubscribes.
   */
  onRevoked(listener: Listener, { whileAsked = false } = {}): () => void {
    this.listeners.add(listener);
    if (!whileAsked) this.waiting.add(listener);
    return () => {
      this.listeners.delete(listener);
      this.waiting.delete(listener);
    };
  }

  close(): void {
    this.isClosed = true;
    for (const stop of this.stopHearing) stop();
    void this.polling.stop();
  }

  private async pollUnlessResting(): Promise<void> {
    if (this.mayRest()) return;
    await Promise.race([this.pollNow(), wait(patienceMs)]);
    this.forgetOld();
    if (this.isAnyAwaited) return this.polling.wake(pauseMs);
    if (this.sources.isAlone) return;
    const knownUntil = Math.min(...this.polledAt.values());
    this.polling.wake(Math.max(pauseMs, knownUntil + pollMs - performance.now()));
  }

  private mayRest(): boolean {
    const isKnown = this.polledAt.size === owners.length;
    // Doesn't pause after a ring: rings within the process are rare, and after the poll the next check needn't wait.
    if (this.sources.isAlone && this.isAnyAwaited) return false;
    return isKnown && this.waiting.size === 0 && performance.now() - this.askedAt > restAfterMs;
  }

  /** Polls both owners, or waits for the last poll if it began less than `patienceMs` ago. Never rejects. */
  private pollNow(): Promise<void> {
    const now = performance.now();
    if (this.latest && now - this.latest.at < patienceMs) return this.latest.outcome;
    const latest = {
      at: now,
      outcome: this.pollBoth().finally(() => {
        if (this.latest === latest) this.latest = null;
      }),
    };
    this.latest = latest;
    return latest.outcome;
  }

  private async pollBoth(): Promise<void> {
    await Promise.all(owners.map((owner) => this.poll(owner)));
    if (this.polledAt.size === owners.length) this.known.resolve();
  }

  /** Never rejects. */
  private async poll(owner: Owner): Promise<void> {
    const startedAt = performance.now();
    const after = this.cursors.get(owner);
    try {
      const { items, cursor } = await this.sources.peers.call(
        feeds[owner],
        { query: after === undefined ? {} : { after } },
        { deadlineMs: pollTimeoutMs, failMode: 'refuse' },
      );
      // Keeps the higher cursor, because polls overlap: an earlier one can be answered later.
      const known = this.cursors.get(owner) ?? 0;
      for (const revocation of items) if (revocation.sequence > known) this.apply(revocation);
      this.cursors.set(owner, Math.max(known, cursor));
      if (items.length >= revocationsPerPage) return await this.poll(owner);
      this.polledAt.set(owner, Math.max(this.polledAt.get(owner) ?? startedAt, startedAt));
      if (this.away.delete(owner)) this.sources.logger.info({ owner }, 'revocations can be polled again');
    } catch (error) {
      // Logs once per outage, because several lines a second would bury everything else.
      if (!this.isClosed && !this.away.has(owner))
        this.sources.logger.warn({ owner, err: error }, 'polling revocations fails');
      this.away.add(owner);
    }
  }

  private apply(revocation: Revocation): void {
    const { kind, subject, ...rest } = revocation;
    this.voids.set(`${kind} ${subject}`, { ...rest, at: performance.now() });
    for (const listener of this.listeners) listener(revocation);
  }

  private forgetOld(): void {
    const before = performance.now() - 10 * 60_000;
    for (const [key, entry] of this.voids) if (entry.at < before) this.voids.delete(key);
  }
}

/** Tells the person who has to sign in how the session ended, if known. */
export const signedOut = (sessionEnd: SessionEnd | null | undefined): Problem =>
  new Problem('platform.unauthenticated', sessionEnd ? { sessionEnd } : {});

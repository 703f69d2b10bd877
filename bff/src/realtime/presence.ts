import {
  deviceOf,
  idleAfterMs,
  mostPresent,
  mostPresentSessions,
  presenceMs,
  putPresence,
  type PersonPrincipal,
} from '@parley/contracts';
import { every } from '@parley/platform/every';
import type { BodyOf, OrgId, UserId } from '@parley/protocol';
import type { Platform } from '@parley/platform/service';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';

type Told = BodyOf<typeof putPresence>;
type Session = Told['organisations'][number]['people'][number]['sessions'][number];
/** The open tabs of a session. */
type OpenSession = Session & { tabs: number };

const renewMs = presenceMs / 3;
/** So soon others hear that somebody came or went; what happens meanwhile goes along. */
const soonMs = 200;
const leastMs = 1_000;
const actionEveryMs = 60_000;
/** About half of what a request may hold. */
const mostPeopleTold = 5_000;
const mostActors = 50_000;
const telling = { deadlineMs: 2_000, failMode: 'refuse' } as const;

/**
 * Who is where by the sockets of this process, and who did something. Monitoring is told all of it every 5 s, and of
 * each organisation in which somebody comes or goes at once, a second apart at least.
 */
export class Presence {
  private readonly bffId = `bff-${randomUUID()}`;
  private readonly here = new Map<OrgId, Map<UserId, Map<string, OpenSession>>>();
  private readonly changed = new Set<OrgId>();
  private readonly lastActions = new LRUCache<string, number>({ max: mostActors });
  private acted: Told['acted'] = [];
  private readonly renewing = every('renews who is here', renewMs, () => this.tell([...this.here.keys()]));
  private soon: NodeJS.Timeout | undefined;
  private toldAt = Number.NEGATIVE_INFINITY;
  private last: Promise<void> = Promise.resolve();
  private isAway = false;

  constructor(private readonly platform: Pick<Platform, 'peers' | 'logger'>) {
    this.renewing.start(platform.logger);
  }

  /** A tab is open, which is an action too. The function that it returns says that the tab is closed. */
  enter({ userId, sessionKey, organisation }: PersonPrincipal, userAgent: string | null): () => void {
    if (!organisation) return () => undefined;
    const { orgId } = organisation;
    const people = this.here.get(orgId) ?? new Map<UserId, Map<string, OpenSession>>();
    const sessions = people.get(userId) ?? new Map<string, OpenSession>();
    const session = sessions.get(sessionKey) ?? newSession(sessionKey, userAgent);
    session.tabs += 1;
    this.here.set(orgId, people.set(userId, sessions.set(sessionKey, session)));
    if (session.tabs === 1) this.change(orgId);
    this.act(orgId, userId);
    return () => {
      session.tabs -= 1;
      if (session.tabs > 0) return;
      sessions.delete(sessionKey);
      if (sessions.size === 0) people.delete(userId);
      if (people.size === 0) this.here.delete(orgId);
      this.change(orgId);
    };
  }

  /** Somebody did something; a beat of the connection or a page that reads again by itself is nothing. */
  act(orgId: OrgId, userId: UserId): void {
    const key = `${orgId}/${userId}`;
    const now = performance.now();
    const sinceMs = now - (this.lastActions.get(key) ?? Number.NEGATIVE_INFINITY);
    if (sinceMs < actionEveryMs) return;
    this.lastActions.set(key, now);
    this.acted.push({ orgId, userId, at: new Date().toISOString() });
    // Back from being idle. Otherwise it goes along with what is told next.
    if (sinceMs >= idleAfterMs) this.change(orgId);
  }

  /** Tells that nobody is here any more; others need not wait until it is forgotten. */
  async close(): Promise<void> {
    await this.renewing.stop();
    clearTimeout(this.soon);
    this.tell([...this.here.keys()]);
    await this.last;
  }

  private change(orgId: OrgId): void {
    this.changed.add(orgId);
    const waitMs = Math.max(soonMs, this.toldAt + leastMs - performance.now());
    this.soon ??= setTimeout(() => this.tell([]), waitMs).unref();
  }

  private tell(renewed: readonly OrgId[]): void {
    clearTimeout(this.soon);
    this.soon = undefined;
    const organisations = [...new Set([...this.changed, ...renewed])].map((orgId) => this.toldOf(orgId));
    const { acted } = this;
    if (organisations.length === 0 && acted.length === 0) return;
    this.toldAt = performance.now();
    this.changed.clear();
    this.acted = [];
    // One after the other: what is told later counts.
    this.last = this.last.then(() => this.send(organisations, acted));
  }

  private toldOf(orgId: OrgId): Told['organisations'][number] {
    const here = this.here.get(orgId) ?? new Map<UserId, Map<string, OpenSession>>();
    const tabs = [...here.values()].flatMap((sessions) => [...sessions.values()].map((session) => session.tabs));
    const sockets = tabs.reduce((sum, count) => sum + count, 0);
    const people = [...here]
      .slice(0, mostPresent)
      .map(([userId, sessions]) => ({
        userId,
        sessions: [...sessions.values()]
          .slice(0, mostPresentSessions)
          .map(({ key, browser, system }) => ({ key, browser, system })),
      }));
    return { orgId, isChanged: this.changed.has(orgId), sockets, people };
  }

  /** What could not be told is told again with the next renewal. Never rejects. */
  private async send(organisations: Told['organisations'], acted: Told['acted']): Promise<void> {
    const { peers, logger } = this.platform;
    let actions = acted;
    try {
      for (const part of inParts(organisations)) {
        const body = { organisations: part, acted: actions };
        await peers.call(putPresence, { params: { bffId: this.bffId }, body }, telling);
        actions = [];
      }
      this.isAway = false;
    } catch (error) {
      this.acted = [...actions, ...this.acted].slice(-mostActors);
      for (const { orgId, isChanged } of organisations) if (isChanged) this.changed.add(orgId);
      if (!this.isAway) logger.warn({ err: error }, 'monitoring could not be told who is here');
      this.isAway = true;
    }
  }
}

/** Of the session's hash so much as tells sessions of one person apart. */
function newSession(sessionKey: string, userAgent: string | null): OpenSession {
  const { browser, system } = deviceOf(userAgent);
  return { key: sessionKey.slice(0, 12), browser, system, tabs: 0 };
}

/** Each with so many people as one request takes; one organisation alone may have as many. */
function inParts(organisations: Told['organisations']): Told['organisations'][] {
  const parts: Told['organisations'][] = [[]];
  let room = mostPeopleTold;
  for (const organisation of organisations) {
    if (organisation.people.length > room) {
      parts.push([]);
      room = mostPeopleTold;
    }
    parts.at(-1)!.push(organisation);
    room -= organisation.people.length;
  }
  return parts;
}

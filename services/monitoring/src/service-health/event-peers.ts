import { Injectable } from '@nestjs/common';
import {
  readAuthEvents,
  readBillingEvents,
  readChatEvents,
  readOrgEvents,
  replayAuthLetters,
  replayBillingLetters,
  replayChatLetters,
  replayOrgLetters,
  tryAuthLetters,
  tryBillingLetters,
  tryChatLetters,
  tryOrgLetters,
  type EventHealth,
  type LetterTrial,
  type ReadingService,
} from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { OwnEvents, Platform } from '@parley/platform/service';

const looking = { deadlineMs: 2_000, failMode: 'refuse' } as const;
/** A hundred handlers may ask other services in turn. */
const acting = { deadlineMs: 30_000, failMode: 'refuse' } as const;
const routes = {
  auth: { read: readAuthEvents, tryAgain: tryAuthLetters, replay: replayAuthLetters },
  org: { read: readOrgEvents, tryAgain: tryOrgLetters, replay: replayOrgLetters },
  chat: { read: readChatEvents, tryAgain: tryChatLetters, replay: replayChatLetters },
  billing: { read: readBillingEvents, tryAgain: tryBillingLetters, replay: replayBillingLetters },
} as const;

/** Asks each service about the events that it reads; monitoring about its own without a call. */
@Injectable()
export class EventPeers {
  constructor(
    private readonly platform: Platform,
    private readonly own: OwnEvents,
  ) {}

  /** Null while the service does not answer. */
  async read(service: ReadingService, orgId: OrgId): Promise<EventHealth | null> {
    if (service === 'monitoring') return this.own.health(orgId);
    return this.platform.peers.call(routes[service].read, { params: { orgId } }, looking).catch(() => null);
  }

  async tryAgain(service: ReadingService, orgId: OrgId, ids: readonly string[]): Promise<LetterTrial[]> {
    if (service === 'monitoring') return this.own.tryAgain(orgId, ids);
    const given = { params: { orgId }, body: { ids: [...ids] } };
    return (await this.platform.peers.call(routes[service].tryAgain, given, acting)).items;
  }

  /** How many will be handled again. */
  async replay(service: ReadingService, orgId: OrgId, ids: readonly string[]): Promise<number> {
    if (service === 'monitoring') return this.own.replay(orgId, ids);
    const given = { params: { orgId }, body: { ids: [...ids] } };
    return (await this.platform.peers.call(routes[service].replay, given, acting)).count;
  }
}

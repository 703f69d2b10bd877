import { Injectable } from '@nestjs/common';
import {
  getAnswerSlots,
  readAuthEvents,
  readAuthJobs,
  readBillingEvents,
  readBillingJobs,
  readChatEvents,
  readChatJobs,
  readOrgEvents,
  readOrgJobs,
  replayAuthLetters,
  replayBillingLetters,
  replayChatLetters,
  replayOrgLetters,
  runAuthJobs,
  runBillingJobs,
  runChatJobs,
  runOrgJobs,
  tryAuthLetters,
  tryBillingLetters,
  tryChatLetters,
  tryOrgLetters,
  type AnswerSlots,
  type EventHealth,
  type JobsOfKind,
  type JobsToRun,
  type LetterTrial,
  type ReadingService,
} from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { OwnEvents, OwnJobs, Platform } from '@parley/platform/service';

const looking = { deadlineMs: 2_000, failMode: 'refuse' } as const;
/** A hundred handlers may ask other services in turn. */
const acting = { deadlineMs: 30_000, failMode: 'refuse' } as const;
const routes = {
  auth: { read: readAuthEvents, tryAgain: tryAuthLetters, replay: replayAuthLetters },
  org: { read: readOrgEvents, tryAgain: tryOrgLetters, replay: replayOrgLetters },
  chat: { read: readChatEvents, tryAgain: tryChatLetters, replay: replayChatLetters },
  billing: { read: readBillingEvents, tryAgain: tryBillingLetters, replay: replayBillingLetters },
} as const;

const jobRoutes = {
  auth: { read: readAuthJobs, run: runAuthJobs },
  org: { read: readOrgJobs, run: runOrgJobs },
  chat: { read: readChatJobs, run: runChatJobs },
  billing: { read: readBillingJobs, run: runBillingJobs },
} as const;

/** Asks each service about its event consumers and its jobs; monitoring about its own without a call. */
@Injectable()
export class HealthPeers {
  constructor(
    private readonly platform: Platform,
    private readonly own: OwnEvents,
    private readonly ownJobs: OwnJobs,
  ) {}

  /** Returns null while the service doesn't answer. */
  async readJobs(service: ReadingService, orgId: OrgId): Promise<JobsOfKind[] | null> {
    if (service === 'monitoring') return this.ownJobs.health(orgId);
    const asked = this.platform.peers.call(jobRoutes[service].read, { params: { orgId } }, looking);
    return asked.then(({ kinds }) => kinds).catch(() => null);
  }

  /** Returns how many parked jobs run again. */
  async runJobs(service: ReadingService, orgId: OrgId, which: JobsToRun): Promise<number> {
    if (service === 'monitoring') return this.ownJobs.runAgain(orgId, which);
    return (await this.platform.peers.call(jobRoutes[service].run, { params: { orgId }, body: which }, acting)).count;
  }

  /** Null where chat doesn't answer, or its process writes no answers. */
  async answerSlots(): Promise<AnswerSlots | null> {
    const asked = this.platform.peers.call(getAnswerSlots, {}, looking);
    return asked.then(({ slots }) => slots).catch(() => null);
  }

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

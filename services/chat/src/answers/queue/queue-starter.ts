import { Injectable } from '@nestjs/common';
import { allows, problemCatalogue } from '@parley/contracts';
import { jobScope, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import { Platform, type Member } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { Problem, type ProblemCode } from '@parley/protocol';
import { QueueMarks, recordQueue, type StoredConversation } from '../../conversations/index.ts';
import { asOriginOf, rightsToAsk } from '../generations/index.ts';
import { AskNow } from './ask-now.ts';
import { QueueRepository } from './queue.repository.ts';
import type { QueuedRow } from './queued-question.collection.ts';
import { toQueued, type Wish } from './queued-question.ts';

/**
 * `gone`: no question was left, or it was already asked. `later`: no question can start now, and another attempt
 * follows without anyone's decision.
 */
export type Start = 'started' | 'refused' | 'gone' | 'later';

const everywhere = jobScope('starts what waits in chats');
const firstServerFault = 500;
/** Problems that mean that someone else has begun an answer in the conversation, or deleted it. */
const overtaken: readonly ProblemCode[] = ['chat.generation-running', 'chat.conversation-not-found'];
/** The question was taken, edited or withdrawn after it was read. */
class Superseded extends Error {}

/** Starts the next question of a conversation. One transaction takes the question out of the queue and asks it. */
@Injectable()
export class QueueStarter {
  constructor(
    private readonly queue: QueueRepository,
    private readonly marks: QueueMarks,
    private readonly asking: AskNow,
    private readonly work: Work,
    private readonly platform: Platform,
  ) {}

  /** If several processes start the same question at once, only one does. */
  async startNext(conversation: StoredConversation): Promise<Start> {
    const scope = everywhere.in(conversation.orgId);
    const next = await this.queue.first(scope, conversation._id);
    return next ? asOriginOf(next, () => this.start(scope, { conversation, next })) : 'gone';
  }

  private async start(scope: OrganisationScope, at: At): Promise<Start> {
    const { orgId, author, queuedAt } = at.next;
    const asked = { orgId, userId: author.userId, queuedAt };
    const rights = await rightsToAsk(this.platform, asked).catch(() => 'unknown' as const);
    if (rights === 'unknown') return 'later';
    if (!rights || !allows({ userId: author.userId, permissions: rights.permissions }, 'chat:create'))
      return this.refuse(scope, at, 'platform.forbidden');
    const { permissions, rightsVersion, organisationName: name, role, groupIds } = rights;
    const organisation = { orgId, permissions, rightsVersion, name, role, groupIds };
    try {
      await this.asking.ask({ scope, principal: memberOf(at.next, organisation) }, this.wanted(scope, at));
    } catch (error) {
      return this.whyNot(scope, at, error);
    }
    return (await this.forget(scope, at)) ? 'gone' : 'started';
  }

  private wanted(scope: OrganisationScope, at: At): Parameters<AskNow['ask']>[1] {
    const { conversationId } = at.next;
    return { ...wishOf(at.next), conversationId, take: (tx) => this.take(scope, at, tx) };
  }

  private async take(scope: OrganisationScope, { conversation, next }: At, tx: Transaction): Promise<void> {
    if (!(await this.queue.take(scope, next, tx))) throw new Superseded();
    await this.marks.remove(scope, { id: conversation._id, count: 1 }, tx);
    recordQueue(tx, conversation);
  }

  /**
   * Removes a question from the queue that another call has already asked under its ids; returns false if it wasn't
   * queued any more.
   */
  private async forget(scope: OrganisationScope, at: At): Promise<boolean> {
    const { _id: id, conversationId } = at.next;
    if (!(await this.queue.find(scope, { conversationId, id }))) return false;
    await this.work.run(starting(at.next), (tx) => this.take(scope, at, tx)).catch(ignoreSuperseded);
    return true;
  }

  private async whyNot(scope: OrganisationScope, at: At, error: unknown): Promise<Start> {
    if (error instanceof Superseded) return 'gone';
    if (!(error instanceof Problem)) throw error;
    if (overtaken.includes(error.code)) return 'gone';
    const isPassing = error.code === 'platform.rate-limited' || problemCatalogue[error.code].status >= firstServerFault;
    return isPassing ? 'later' : this.refuse(scope, at, error.code);
  }

  /** Stores why the question was refused, and puts the queue on hold. */
  private refuse(scope: OrganisationScope, { conversation, next }: At, refusal: ProblemCode): Promise<Start> {
    return this.work.run(starting(next), async (tx) => {
      if (!(await this.queue.setRefusal(scope, { seen: next, refusal }, tx))) return 'gone';
      await this.marks.hold(scope, { id: conversation._id, isQueueHeld: true }, tx);
      recordQueue(tx, conversation);
      return 'refused';
    });
  }
}

type At = { readonly conversation: StoredConversation; readonly next: QueuedRow };

const starting = ({ author }: QueuedRow) => job('starts what waits in chats', { onBehalfOf: author.userId });

function ignoreSuperseded(error: unknown): void {
  if (!(error instanceof Superseded)) throw error;
}

/** Returns the author with their current role in the organisation. */
const memberOf = ({ author }: QueuedRow, organisation: Member['organisation']): Member => ({
  kind: 'person',
  ...author,
  sessionKey: '',
  platformRole: null,
  mayCreateOrganisations: false,
  organisation,
});

function wishOf(row: QueuedRow): Wish {
  const {
    id: messageId,
    author: _author,
    queuedAt: _at,
    refusal: _refusal,
    version: _version,
    ...queued
  } = toQueued(row);
  const { kind, text, parentId, files = [], ...rest } = queued;
  const asked = files.map(({ id, use }) => ({ id, use }));
  return kind === 'question'
    ? { kind, messageId, text, parentId, files: asked, ...rest }
    : { kind, parentId: parentId!, ...rest };
}

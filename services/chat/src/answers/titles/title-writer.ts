import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { titleEnded } from '@parley/contracts';
import { Flows, TurnQueue } from '@parley/platform/fair-turns';
import { jobScope, type Transaction } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import type { DataOf } from '@parley/protocol';
import { ModelFailure, ModelsService, type ModelPart } from '../../assistants/models/index.ts';
import { addressOf, ConversationsRepository, record, type StoredConversation } from '../../conversations/index.ts';
import { FirstWords } from './first-words.ts';
import { TitleBudget, titleIdOf, type Titled } from './title-budget.ts';
import { titleIn, titleRequest, type Exchange } from './title.ts';
import { TitleSettingsService } from './title-settings.service.ts';

/** The most titles at the same time in one process, and half of this for one flow. */
const mostAtOnce = 4;
/** The most chats that wait for a title; any further chat keeps its shortened question as title. */
const mostWaiting = 200;
/** Answers go first: while one awaits its first word, a title waits at most this long at each step. */
const waitsMs = 5_000;
/** The most time for a model to write a title. */
const deadlineMs = 30_000;
/** Longer than any title: text after this isn't read. */
const mostCharacters = 4_000;
const charactersOfToken = 4;

type Told = DataOf<typeof titleEnded>;
type Used = Pick<Told, 'inputTokens' | 'outputTokens' | 'cachedTokens' | 'estimated' | 'outcome'>;

/** A model's title, null if it wrote no usable one, and its usage. */
type Wrote = { readonly title: string | null; readonly used: Used };
/** A title that is being written; exists from the first word of its answer on. */
type Naming = { readonly titled: Titled; wrote: Wrote | null; isLate: boolean };

const everywhere = jobScope('models name the chats of all organisations');

/**
 * Asks the model of a chat's first answer for a title, once, while the answer runs. Stores a title that is ready when
 * the answer ends together with the answer, and a later one when it comes. Never delays anything and never repeats:
 * without room, budget or a usable title, or if the process ends, the chat keeps its shortened question. If a process
 * is killed, its requests aren't in the ledger.
 */
@Injectable()
export class TitleWriter implements BeforeApplicationShutdown {
  private readonly queue = new TurnQueue({ all: mostAtOnce }, mostWaiting);
  private readonly running = new Set<Promise<void>>();
  private readonly namings = new Map<Titled['_id'], Naming>();
  private readonly ending = new AbortController();

  constructor(
    private readonly settings: TitleSettingsService,
    private readonly conversations: ConversationsRepository,
    private readonly models: ModelsService,
    private readonly budget: TitleBudget,
    private readonly firstWords: FirstWords,
    private readonly flows: Flows,
    private readonly work: Work,
    private readonly platform: Platform,
  ) {}

  /** Asks for a title at the first word of an answer; never fails. `exchange` is read when the model is asked. */
  begin(titled: Titled, exchange: () => Exchange): void {
    const { _id, orgId, userId, conversationId } = titled;
    const { signal } = this.ending;
    if (signal.aborted) return;
    const naming: Naming = { titled, wrote: null, isLate: false };
    this.namings.set(_id, naming);
    const write = async () => {
      naming.wrote = await this.write(titled, exchange);
      if (naming.isLate) await this.storeLate(naming);
    };
    this.run(this.queue.run(this.flows.keyOf(orgId, userId), write, signal), conversationId);
  }

  /** Returns the title that an answer's model has written and its usage, for `record`; null until then. */
  wrote({ _id }: Pick<Titled, '_id'>): Wrote | null {
    return this.namings.get(_id)?.wrote ?? null;
  }

  /**
   * Stores a title together with the end of its answer. Returns the renamed conversation; null without a title, or if a
   * person typed one meanwhile.
   */
  async record(
    titled: Titled,
    { conversation, wrote: { title, used } }: { readonly conversation: StoredConversation; readonly wrote: Wrote },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    // Always sequence 1, because each title has only this event.
    tx.record(titleEnded, toldOf(titled, used, tx.now), { sequence: 1 });
    const { orgId, titling, isDeleted } = conversation;
    if (!title || titling !== 'open' || isDeleted) return null;
    const named = await this.conversations.nameAtOnce(everywhere.in(orgId), { conversation, title }, tx);
    record(tx, named, 'renamed');
    return named;
  }

  /** Removes a title from memory after it was stored with its answer. */
  stored({ _id }: Pick<Titled, '_id'>): void {
    this.namings.delete(_id);
  }

  /** Call it when an answer is over. Stores a title that wasn't stored with the answer, now or when it comes. */
  end({ _id, conversationId }: Pick<Titled, '_id' | 'conversationId'>): void {
    const naming = this.namings.get(_id);
    if (!naming) return;
    this.namings.delete(_id);
    naming.isLate = true;
    if (naming.wrote) this.run(this.storeLate(naming), conversationId);
  }

  /** Ends titles that are being written, and drops waiting ones. */
  async beforeApplicationShutdown(): Promise<void> {
    this.ending.abort();
    for (const { titled } of this.namings.values()) this.end(titled);
    await Promise.all(this.running);
  }

  private run(work: Promise<void>, conversationId: Titled['conversationId']): void {
    const { signal } = this.ending;
    const running = work
      .catch((err: unknown) => {
        if (!signal.aborted) this.platform.logger.warn({ err, conversationId }, 'a chat was not named');
      })
      .finally(() => this.running.delete(running));
    this.running.add(running);
  }

  /** Returns null if no model was asked, or if a model failed without costs. */
  private async write(titled: Titled, exchange: () => Exchange): Promise<Wrote | null> {
    const { orgId, modelKey, upstream, locale } = titled;
    const scope = everywhere.in(orgId);
    await this.untilFirstWords();
    if (this.ending.signal.aborted) return null;
    if (!upstream || !(await this.settings.of(scope)).isOn) return null;
    const signal = AbortSignal.any([this.ending.signal, AbortSignal.timeout(deadlineMs)]);
    const request = titleRequest({ ...exchange(), locale }, signal);
    const client = await this.models.client(scope, modelKey);
    const held = await this.budget.hold(scope, titled, request);
    if (!held) return null;
    const written = new Written(request.path[0]!.text);
    let outcome: Used['outcome'] = 'done';
    try {
      await client.answer(request, (part) => written.take(part));
    } catch (error) {
      // Don't throw if the model failed, the time is over or the text got too long: the model may have written the
      // title before, and the reservation must be settled.
      if (!(error instanceof ModelFailure) && !signal.aborted && !written.isOver) throw error;
      outcome = signal.aborted ? 'interrupted' : 'failed';
      if (outcome === 'failed' && !written.hasAny && !held.isBounded) return null;
    } finally {
      held.release();
    }
    const title = outcome === 'interrupted' ? null : titleIn(written.text);
    return { title, used: { ...written.used(outcome), outcome: title === null ? outcome : 'done' } };
  }

  private untilFirstWords(): Promise<void> {
    return this.firstWords.untilThere({ mostMs: waitsMs, signal: this.ending.signal });
  }

  private async storeLate({ titled, wrote }: Naming): Promise<void> {
    if (!wrote) return;
    const { orgId, conversationId, userId } = titled;
    await this.untilFirstWords();
    const { title, used } = wrote;
    const written = title && { id: conversationId, title };
    const named = written && (await this.conversations.writeTitle(everywhere.in(orgId), written));
    await this.work.record(job('names chats', { onBehalfOf: userId }), titleEnded, {
      ...toldOf(titled, used, new Date()),
      ...(named && { ...addressOf(named), sequence: named.sequence }),
    });
  }
}

const toldOf = (
  { orgId, conversationId, userId, groupIds = [], chatbot, modelKey: model, upstream }: Titled,
  used: Used,
  endedAt: Date,
): Told => ({
  orgId,
  generationId: titleIdOf(conversationId),
  conversationId,
  userId,
  groupIds,
  chatbotId: chatbot?.id ?? null,
  model,
  upstream: upstream!,
  ...used,
  endedAt: endedAt.toISOString(),
  memberIds: [],
  sequence: 0,
});

/** Collects a model's text and usage. */
class Written {
  text = '';
  private thoughts = 0;
  private reported: Omit<Used, 'outcome'> | null = null;

  constructor(private readonly asked: string) {}

  get isOver(): boolean {
    return this.text.length > mostCharacters;
  }

  get hasAny(): boolean {
    return this.text !== '' || this.thoughts > 0 || this.reported !== null;
  }

  /** Adds a part; throws if the text gets too long. */
  take(part: ModelPart): void {
    if (part.kind === 'text') this.text += part.text;
    else if (part.kind === 'reasoning') this.thoughts += part.text.length;
    else this.reported = { cachedTokens: 0, ...part, estimated: false };
    if (this.isOver) throw new ModelFailure('too-long', null);
  }

  /**
   * Returns the usage that the server reported, otherwise an estimate. A model that failed before its first word used
   * nothing.
   */
  used(outcome: Used['outcome']): Omit<Used, 'outcome'> {
    if (this.reported) {
      const { inputTokens, outputTokens, cachedTokens, estimated } = this.reported;
      return { inputTokens, outputTokens, cachedTokens, estimated };
    }
    return {
      inputTokens: outcome === 'failed' && !this.hasAny ? 0 : tokensOf(this.asked.length),
      outputTokens: tokensOf(this.text.length + this.thoughts),
      cachedTokens: 0,
      estimated: true,
    };
  }
}

const tokensOf = (characters: number): number => Math.ceil(characters / charactersOfToken);

import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { titleEnded } from '@parley/contracts';
import { Flows, TurnQueue } from '@parley/platform/fair-turns';
import { jobScope, type OrganisationScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import type { DataOf } from '@parley/protocol';
import { ModelFailure, ModelsService, type ModelPart } from '../../assistants/models/index.ts';
import { ConversationsRepository, MessagesRepository, record } from '../../conversations/index.ts';
import { FirstWords } from './first-words.ts';
import { TitleBudget, titleIdOf, type Titled } from './title-budget.ts';
import { titleIn, titleRequest } from './title.ts';
import { TitleSettingsService } from './title-settings.service.ts';

/** At the same time in one process; of one flow half. */
const mostAtOnce = 4;
/** This many chats can wait for a title; another one keeps its shortened question. */
const mostWaiting = 200;
/** Answers go first: while one awaits its first word, a title waits that long at each step. */
const waitsMs = 5_000;
/** So long a model can take. */
const deadlineMs = 30_000;
/** No title is so long; what a model writes beyond it isn't read. */
const mostCharacters = 4_000;
const charactersOfToken = 4;

type Told = DataOf<typeof titleEnded>;
type Used = Pick<Told, 'inputTokens' | 'outputTokens' | 'cachedTokens' | 'estimated' | 'outcome'>;

const everywhere = jobScope('models name the chats of all organisations');

/**
 * Has the model that wrote a chat's first answer name the chat, once. It is worth no waiting and no repeating: where
 * there is no room, no budget or no usable title, and where the process ends, the shortened question stays. What a
 * process that was killed had asked isn't in the ledger.
 */
@Injectable()
export class TitleWriter implements BeforeApplicationShutdown {
  private readonly queue = new TurnQueue({ all: mostAtOnce }, mostWaiting);
  private readonly running = new Set<Promise<void>>();
  private readonly ending = new AbortController();

  constructor(
    private readonly settings: TitleSettingsService,
    private readonly conversations: ConversationsRepository,
    private readonly messages: MessagesRepository,
    private readonly models: ModelsService,
    private readonly budget: TitleBudget,
    private readonly firstWords: FirstWords,
    private readonly flows: Flows,
    private readonly work: Work,
    private readonly platform: Platform,
  ) {}

  /** Takes it on without waiting; never fails. */
  offer(titled: Titled, answer: string): void {
    const { orgId, userId, conversationId } = titled;
    const { signal } = this.ending;
    if (signal.aborted) return;
    const running = this.queue
      .run(this.flows.keyOf(orgId, userId), () => this.write(titled, answer), signal)
      .catch((err: unknown) => {
        if (!signal.aborted) this.platform.logger.warn({ err, conversationId }, 'a chat was not named');
      })
      .finally(() => this.running.delete(running));
    this.running.add(running);
  }

  /** Ends what runs and forgets what waits. */
  async beforeApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.running);
  }

  private async write(titled: Titled, answer: string): Promise<void> {
    const { orgId, conversationId, questionId, modelKey, upstream, locale } = titled;
    const scope = everywhere.in(orgId);
    await this.untilFirstWords();
    if (this.ending.signal.aborted) return;
    if (!upstream || !(await this.settings.of(scope)).isOn) return;
    const question = await this.messages.find(scope, { conversationId, id: questionId });
    if (!question) return;
    const signal = AbortSignal.any([this.ending.signal, AbortSignal.timeout(deadlineMs)]);
    const { text, files = [] } = question;
    const asked = text === '' ? files.map(({ name }) => name).join(', ') : text;
    const request = titleRequest({ question: asked, answer, locale }, signal);
    const client = await this.models.client(scope, modelKey);
    const held = await this.budget.hold(scope, titled, request);
    if (!held) return;
    const written = new Written(request.path[0]!.text);
    let outcome: Used['outcome'] = 'done';
    try {
      await client.answer(request, (part) => written.take(part));
    } catch (error) {
      // It may have written the title before it reached its limit, or before it said too much. What was held is settled.
      if (!(error instanceof ModelFailure) && !signal.aborted && !written.isOver) throw error;
      outcome = signal.aborted ? 'interrupted' : 'failed';
      if (outcome === 'failed' && !written.hasAny && !held.isBounded) return;
    } finally {
      held.release();
    }
    const title = outcome === 'interrupted' ? null : titleIn(written.text);
    await this.untilFirstWords();
    await this.store(scope, titled, {
      title,
      used: { ...written.used(outcome), outcome: title === null ? outcome : 'done' },
    });
  }

  private untilFirstWords(): Promise<void> {
    return this.firstWords.untilThere({ mostMs: waitsMs, signal: this.ending.signal });
  }

  private async store(
    scope: OrganisationScope,
    { orgId, conversationId, userId, groupIds, chatbot, modelKey, upstream }: Titled,
    { title, used }: { readonly title: string | null; readonly used: Used },
  ): Promise<void> {
    await this.work.run(job('names chats', { onBehalfOf: userId }), async (tx) => {
      const named = title && (await this.conversations.writeTitle(scope, { id: conversationId, title }, tx));
      if (named) record(tx, named, 'renamed');
      const told: Told = {
        orgId,
        generationId: titleIdOf(conversationId),
        conversationId,
        userId,
        groupIds: groupIds ?? [],
        chatbotId: chatbot?.id ?? null,
        model: modelKey,
        upstream: upstream!,
        ...used,
        endedAt: tx.now.toISOString(),
      };
      // A title has no other event.
      tx.record(titleEnded, told, { sequence: 1 });
    });
  }
}

/** What a model writes, and what that used. */
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

  /** Throws where it is too much. */
  take(part: ModelPart): void {
    if (part.kind === 'text') this.text += part.text;
    else if (part.kind === 'reasoning') this.thoughts += part.text.length;
    else this.reported = { cachedTokens: 0, ...part, estimated: false };
    if (this.isOver) throw new ModelFailure('too-long', null);
  }

  /** As the server counts it, or estimated where it does not say. What failed before its first word used nothing. */
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

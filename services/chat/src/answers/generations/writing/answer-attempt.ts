import { isCut, liveStreamOf, type Citation, type GenerationFailure, type Usage } from '@parley/contracts';
import type { FlowKey } from '@parley/platform/fair-turns';
import type { LiveStream } from '@parley/platform/live-stream';
import { NoBudget, type Reservations, type Reserved } from '../../../assistants/budgets/index.ts';
import { answerAnyway, ModelFailure, type ModelPart, type ModelRequest } from '../../../assistants/models/index.ts';
import { aborted } from './aborted.ts';
import { BudgetReservation } from './budget-reservation.ts';
import { kindOf } from '../rows/ask.ts';
import { foundOf, type AnswerEnd } from '../rows/answer-end.ts';
import { FrameWriter } from './frame-writer.ts';
import type { Generation } from '../rows/generation.collection.ts';
import { charactersOf, estimateTokens, type FinalStatus } from '../rows/generation.ts';
import type { Kept, Progress } from '../rows/generations.repository.ts';
import { atMost, beginningOf, fitTo } from '../rows/continuation.ts';
import { SentRequest } from './sent-request.ts';
import { StopWords } from './stop-words.ts';
import { usedCitations } from '../asking/citations.ts';
import type { PreparedAnswer } from '../asking/prepare-answer.ts';
import { Thinking } from './thinking.ts';
import type { ProcessTime } from './process-time.ts';
import { WordsInTurn } from './words-in-turn.ts';

const longestAnswer = 200_000;
/** After this long without a word, the attempt tells readers that a worker has begun. */
const soonMs = 20;

/** Why the worker ended an attempt. */
export type Interruption = 'stopped' | 'lease-lost' | 'handed-over';

export type AttemptParts = {
  readonly generation: Generation;
  readonly liveStream: LiveStream;
  readonly reservations: Pick<Reservations, 'reserve'>;
  readonly time: ProcessTime;
  /** The flow (share of capacity), organisation and person whose turns the words take. */
  readonly key: FlowKey;
  /** The model has stalled after this long without a word of the answer or of its reasoning. */
  readonly stallMs: number;
  /** The answer ends with its text so far after this long in all. */
  readonly deadlineMs: number;
  /** Called just before the request goes to a provider. From then on the input of the request is billed. */
  readonly onSent?: (sent: NonNullable<Generation['sent']>) => void;
  readonly onFirstWord?: () => void;
};

/** Streams the text of one attempt under its fencing epoch, and returns how the attempt ended. */
export class AnswerAttempt {
  readonly generation: Generation;
  readonly writer: FrameWriter;
  /** The attempt's own words, without the continued text before them. */
  private text = '';
  private readonly beginning: string;
  private readonly thinking = new Thinking();
  private prepared: PreparedAnswer | null = null;
  private readonly sent = new SentRequest();
  private usage: Usage | null = null;
  private firstTokenAt: Date | null = null;
  private interruption: Interruption | null = null;
  private readonly budget: BudgetReservation;
  private mayTell = false;
  private stops = new StopWords([]);
  /** A stop word came: the answer ends before it. */
  private isOver = false;
  private overdue: GenerationFailure | null = null;
  private readonly beganAt = performance.now();
  private lastWordAt = this.beganAt;
  private readonly words: WordsInTurn;
  private readonly controller = new AbortController();
  private readonly parts: AttemptParts;

  constructor(parts: AttemptParts) {
    this.parts = parts;
    this.generation = parts.generation;
    this.beginning = beginningOf(parts.generation);
    this.budget = new BudgetReservation(parts);
    this.words = new WordsInTurn({ ...parts, pass: (part) => this.takePart(part) });
    this.writer = new FrameWriter(
      parts.liveStream,
      liveStreamOf(parts.generation.conversationId, parts.generation._id),
      parts.generation.epoch,
    );
  }

  /** The question and the attempt's own words so far. Read it only after the first word. */
  get exchange() {
    return { question: this.prepared!.path.at(-1)!, answer: this.text };
  }

  interrupt(interruption: Interruption): void {
    this.interruption ??= interruption;
    this.controller.abort();
  }

  /** Returns null if the attempt doesn't count any more: its lease was lost or given to another worker. */
  async run(preparing: Promise<PreparedAnswer>): Promise<AnswerEnd | null> {
    const telling = setTimeout(() => this.tell(), soonMs);
    let end: AnswerEnd;
    try {
      await Promise.race([this.answer(preparing), aborted(this.controller.signal)]);
      end = this.endAs('done');
    } catch (error) {
      end = this.endOf(error);
    } finally {
      clearTimeout(telling);
    }
    if (this.interruption === null || this.interruption === 'stopped') return end;
    this.writer.discard();
    return null;
  }

  /** Returns the state for a checkpoint, with the previous attempt's text until this attempt has written more. */
  progress(): Progress {
    const { _id: id, epoch, text, citations, textEpoch } = this.generation;
    const own = this.whole();
    const written =
      this.text === '' || own.length < text.length
        ? { text, citations, textEpoch }
        : { text: own, citations: this.citations(), textEpoch: epoch };
    return { id, epoch, ...written, firstTokenAt: this.firstTokenAt, ...this.ifSent() };
  }

  /** The reservation that must be renewed in billing while the attempt runs. */
  get reservation(): Reserved | null {
    return this.budget.reserved;
  }

  /** Applies the result of a renewal: null means that the lease was lost. */
  apply(kept: Kept | null): void {
    if (!kept) this.interrupt('lease-lost');
    else if (kept.stopRequested) this.interrupt('stopped');
  }

  endIfOverdue(): void {
    const now = performance.now();
    if (now - this.beganAt > this.parts.deadlineMs) this.overdue ??= 'deadline-passed';
    else if (now - this.lastWordAt > this.parts.stallMs && !this.words.isWaiting && !this.budget.isAwaited)
      this.overdue ??= 'provider-stalled';
    if (this.overdue === null) return;
    this.words.passAll();
    this.controller.abort();
  }

  private async answer(preparing: Promise<PreparedAnswer>): Promise<void> {
    this.prepared = await preparing;
    if (this.generation.stopRequested) this.interrupt('stopped');
    this.controller.signal.throwIfAborted();
    const { client, isBounded, triesImages, citations: _citations, ...prepared } = this.prepared;
    this.stops = new StopWords(prepared.stops);
    const wanted: ModelRequest = {
      ...prepared,
      beginning: this.beginning,
      locale: this.generation.locale,
      signal: this.controller.signal,
    };
    // Ask the model only after its possible cost is reserved.
    const request = this.sent.send(isBounded ? await this.budget.take(wanted) : wanted);
    if (this.generation.upstream) this.parts.onSent?.(this.given());
    this.lastWordAt = performance.now();
    this.mayTell = true;
    this.tell();
    const answering = answerAnyway(client, request, {
      triesImages,
      onPart: (part) => {
        this.controller.signal.throwIfAborted();
        if (part.kind !== 'usage') this.lastWordAt = performance.now();
        return this.words.take(part);
      },
      onNotes: (path, why) => {
        this.controller.signal.throwIfAborted();
        this.sent.sendNotes(path, why);
        this.lastWordAt = performance.now();
      },
    });
    // Wait for words that the model sent, also if it failed afterwards: they are passed on before the error.
    await answering.finally(() => this.words.drained());
    this.controller.signal.throwIfAborted();
    this.take(this.stops.rest());
  }

  /** Tells readers that a worker has begun, but only once there is budget for the attempt. */
  private tell(): void {
    if (this.mayTell && performance.now() - this.beganAt >= soonMs) this.writer.begin();
  }

  private takePart(part: ModelPart): void {
    this.controller.signal.throwIfAborted();
    if (part.kind === 'text') this.takeToStop(part.text);
    else if (part.kind === 'reasoning') this.writer.think(this.thinking.take(part.text));
    else {
      const { kind: _kind, ...used } = part;
      this.usage = { ...used, estimated: false };
    }
  }

  private takeToStop(said: string): void {
    const { text, isOver } = this.stops.take(said);
    this.take(text);
    if (!isOver) return;
    this.isOver = true;
    this.controller.abort();
    this.controller.signal.throwIfAborted();
  }

  /** Sends the continued text with the first word: until then readers see the earlier text. */
  private take(said: string): void {
    const isFirst = this.text === '';
    const text = isFirst ? fitTo(this.beginning, said) : said;
    const fitting = atMost(text, this.longest() - this.beginning.length - this.text.length);
    if (fitting !== '') {
      this.firstTokenAt ??= new Date();
      if (isFirst) this.thinking.end();
      this.text += fitting;
      this.writer.push(isFirst ? this.beginning + fitting : fitting);
      if (isFirst) this.parts.onFirstWord?.();
    }
    if (fitting.length < text.length) throw new ModelFailure('too-long', null);
  }

  /**
   * Returns the most characters of the text; for the built-in assistant, which counts no tokens, a token limit is
   * converted to characters.
   */
  private longest(): number {
    const most = this.generation.upstream === null ? this.prepared?.maxOutputTokens : null;
    return Math.min(longestAnswer, most ? charactersOf(most) : longestAnswer);
  }

  private endOf(error: unknown): AnswerEnd {
    if (this.interruption !== null) return this.endAs('stopped');
    if (this.isOver) return this.endAs('done');
    if (this.overdue !== null) return { ...this.endAs('failed'), failure: this.overdue };
    const failure = error instanceof ModelFailure || error instanceof NoBudget ? error : null;
    if (isCut(failure?.reason) && kindOf(this.generation) === 'completion')
      return { ...this.endAs('done'), isCut: true };
    const ended = {
      ...this.endAs('failed'),
      failure: failure?.reason ?? 'internal',
      failureDetail: failure?.detail ?? null,
      ...(failure?.reason === 'images-refused' && { images: 'refused' as const }),
    };
    const isShort = failure?.reason === 'output-limit' && this.budget.hasCut(this.usage?.outputTokens ?? null);
    return isShort ? { ...ended, limitedBy: 'budget' } : ended;
  }

  private endAs(status: FinalStatus): AnswerEnd {
    const { images, leftOut } = this.sent;
    const thoughts = this.thinking.whole();
    return {
      status,
      text: this.whole(),
      citations: this.citations(),
      thoughts,
      usage: this.usage ?? this.estimated((thoughts?.text ?? '') + this.text),
      failure: null,
      failureDetail: null,
      firstTokenAt: this.firstTokenAt,
      ...(images && { images }),
      ...(leftOut.length > 0 && { leftOut }),
      ...this.ifSent(),
      ...(kindOf(this.generation) === 'trial' && { found: foundOf(this.prepared?.passages ?? []) }),
    };
  }

  /** Estimates the usage; returns no usage if nothing was written. */
  private estimated(written: string): Usage {
    const inputTokens = written === '' ? 0 : this.inputTokens();
    return { inputTokens, outputTokens: estimateTokens(written), estimated: true };
  }

  private ifSent(): Pick<Progress, 'sent'> {
    return this.sent.isSent ? { sent: this.given() } : {};
  }

  private given(): NonNullable<Generation['sent']> {
    const { projectInstructions, projectKnowledge } = this.prepared ?? {};
    return {
      epoch: this.generation.epoch,
      inputTokens: this.inputTokens(),
      ...(projectInstructions && { projectInstructions }),
      ...(projectKnowledge && { projectKnowledge }),
    };
  }

  private inputTokens(): number {
    return this.generation.upstream ? this.sent.estimate() : this.sent.estimateConversation();
  }

  private citations(): Citation[] {
    if (this.text === '') return this.generation.citations;
    return usedCitations(this.whole(), this.prepared?.citations ?? this.generation.continued?.citations ?? []);
  }

  /** Returns the text to store; without own words, the text of the previous attempt or the continued text. */
  private whole(): string {
    return this.text === '' ? this.generation.text : this.beginning + this.text;
  }
}

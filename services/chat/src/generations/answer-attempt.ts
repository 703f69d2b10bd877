import { liveStreamOf, type Usage } from '@parley/contracts';
import type { LiveStream } from '@parley/platform/live-stream';
import { platformScope } from '@parley/platform/mongo';
import { estimateTokens, leaseMs, type FinalStatus, type Generation, type GenerationsRepository } from '../messages/index.ts';
import { ModelFailure } from '../models/index.ts';
import type { AnswerEnd } from './finish-answer.ts';
import { FrameWriter } from './frame-writer.ts';
import { usedCitations, type PreparedAnswer } from './prepare-answer.ts';

const checkpointMs = 1_000;
const longestAnswer = 200_000;
const job = platformScope('workers write the answers of all organisations');

/** Why an attempt was ended from outside. */
export type Interruption = 'stopped' | 'lease-lost' | 'handed-over';

export type AttemptParts = { readonly generation: Generation; readonly generations: GenerationsRepository; readonly liveStream: LiveStream; readonly stallMs: number };

/**
 * One attempt at one answer under one fencing epoch: streams the model's text into the live stream, keeps a checkpoint each second
 * (which renews the lease), and says how it ended. It never writes the end itself.
 */
export class AnswerAttempt {
  readonly generation: Generation;
  readonly writer: FrameWriter;
  private text = '';
  private usage: Usage | null = null;
  private firstTokenAt: Date | null = null;
  private interruption: Interruption | null = null;
  private isStalled = false;
  private lastPartAt = Date.now();
  private readonly controller = new AbortController();
  private readonly parts: AttemptParts;

  constructor(parts: AttemptParts) {
    this.parts = parts;
    this.generation = parts.generation;
    this.writer = new FrameWriter(parts.liveStream, liveStreamOf(parts.generation.conversationId, parts.generation._id), parts.generation.epoch);
  }

  interrupt(interruption: Interruption): void {
    this.interruption ??= interruption;
    this.controller.abort();
  }

  /** Null when the attempt does not count any more: its lease is lost or was handed over. */
  async run(preparing: Promise<PreparedAnswer>): Promise<AnswerEnd | null> {
    this.writer.begin();
    const ticking = setInterval(() => void this.tick(preparing), checkpointMs);
    let end: AnswerEnd;
    try {
      const prepared = await preparing;
      await this.stream(prepared);
      end = this.endAs('done', prepared);
    } catch (error) {
      end = await this.endOf(error, preparing);
    } finally {
      clearInterval(ticking);
    }
    if (this.interruption === null || this.interruption === 'stopped') return end;
    this.writer.discard();
    return null;
  }

  /** Writes what is there, so that whoever takes over shows it. */
  async checkpoint(prepared: PreparedAnswer | null, leaseUntil = new Date(Date.now() + leaseMs)): Promise<Pick<Generation, 'stopRequested'> | null> {
    const held = { id: this.generation._id, epoch: this.generation.epoch };
    const citations = prepared ? usedCitations(this.text, prepared.citations) : [];
    const progress = this.text === '' ? { text: this.generation.text, citations: this.generation.citations } : { text: this.text, citations };
    return this.parts.generations.checkpoint(job, held, { ...progress, textEpoch: this.text === '' ? this.generation.textEpoch : held.epoch, firstTokenAt: this.firstTokenAt, leaseUntil });
  }

  private async stream({ client, turns, passages, documentCount }: PreparedAnswer): Promise<void> {
    if (this.generation.stopRequested) this.interrupt('stopped');
    this.controller.signal.throwIfAborted();
    for await (const part of client.stream({ turns, passages, documentCount, locale: this.generation.locale, signal: this.controller.signal })) {
      this.lastPartAt = Date.now();
      if (part.kind === 'usage') this.usage = { inputTokens: part.inputTokens, outputTokens: part.outputTokens, estimated: false };
      else if (part.text !== '') this.take(part.text);
      this.controller.signal.throwIfAborted();
    }
  }

  private take(text: string): void {
    this.firstTokenAt ??= new Date();
    this.text += text;
    this.writer.push(text);
    if (this.text.length > longestAnswer) throw new ModelFailure('too-long', null);
  }

  private async tick(preparing: Promise<PreparedAnswer>): Promise<void> {
    if (Date.now() - this.lastPartAt > this.parts.stallMs) {
      this.isStalled = true;
      this.controller.abort();
      return;
    }
    const kept = await this.checkpoint(await preparing.catch(() => null)).catch(() => this.generation);
    if (!kept) this.interrupt('lease-lost');
    else if (kept.stopRequested) this.interrupt('stopped');
  }

  private async endOf(error: unknown, preparing: Promise<PreparedAnswer>): Promise<AnswerEnd> {
    const prepared = await preparing.catch(() => null);
    if (this.interruption !== null) return this.endAs('stopped', prepared);
    if (this.isStalled) return { ...this.endAs('failed', prepared), failure: 'provider-stalled' };
    const failure = error instanceof ModelFailure ? error : null;
    return { ...this.endAs('failed', prepared), failure: failure?.reason ?? 'internal', failureDetail: failure?.detail ?? null };
  }

  private endAs(status: FinalStatus, prepared: PreparedAnswer | null): AnswerEnd {
    const asked = (prepared?.turns ?? []).reduce((sum, turn) => sum + estimateTokens(turn.text), 0);
    const estimated = { inputTokens: this.text === '' ? 0 : asked, outputTokens: estimateTokens(this.text), estimated: true };
    const citations = prepared ? usedCitations(this.text, prepared.citations) : [];
    return { status, text: this.text, citations, usage: this.usage ?? estimated, failure: null, failureDetail: null, firstTokenAt: this.firstTokenAt };
  }
}

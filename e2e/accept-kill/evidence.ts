import type { ConversationId, GenerationFrame, GenerationId, Message, MessageId } from '@parley/contracts';
import type { ParleyClient } from '@parley/testing/client';
import { LiveView } from './live-view.ts';
import { readAnswer, type Question } from './world.ts';

export type Wrong = 'lost' | 'doubled' | 'disordered' | 'misbilled';
export type FirstToken = { readonly generationId: GenerationId; readonly epoch: number; readonly at: number };
/** What the server said yes to. */
export type Acknowledged = { readonly question: Question; readonly message: Message; readonly answer: Message };
/** A retry of an answer that was interrupted twice. */
export type Retried = {
  readonly parentId: MessageId;
  readonly answerId: MessageId;
  readonly generationId: GenerationId;
};
export type ConversationRecord = {
  readonly id: ConversationId;
  readonly owner: ParleyClient;
  readonly acknowledged: Acknowledged[];
  readonly retried: Retried[];
};

/** Everything that was observed; problems are counted once per text. */
export class Evidence {
  readonly live = new LiveView();
  readonly conversations = new Map<ConversationId, ConversationRecord>();
  readonly problems = new Map<Wrong, Set<string>>([
    ['lost', new Set()],
    ['doubled', new Set()],
    ['disordered', new Set()],
    ['misbilled', new Set()],
  ]);
  readonly refusals = new Map<string, number>();
  readonly cuts = { sockets: 0, socketsInAnswer: 0, reloads: 0, reloadsInAnswer: 0 };
  acked = 0;
  /** Attached to questions, and there afterwards. */
  notes = 0;
  repeated = 0;
  private readonly callOf = new Map<string, number>();
  private readonly attemptOf = new Map<number, string>();
  readonly longAnswers = new Set<GenerationId>();
  private watchers: ((token: FirstToken) => void)[] = [];
  private readonly begun = new Set<string>();
  private readonly ended = new Set<string>();

  note(wrong: Wrong, what: string): void {
    this.problems.get(wrong)?.add(what);
  }

  count(wrong: Wrong): number {
    return this.problems.get(wrong)?.size ?? 0;
  }

  acknowledge(record: ConversationRecord, acknowledged: Acknowledged, tries: number): void {
    this.acked += 1;
    if (tries > 1) this.repeated += 1;
    record.acknowledged.push(acknowledged);
    this.live.acknowledged(acknowledged, acknowledged.question.generationId);
  }

  refuse(code: string): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }

  markLong(generationId: GenerationId): void {
    this.longAnswers.add(generationId);
  }

  /** Returns true if a client has seen the end of this attempt. */
  hasEnded({ generationId, epoch }: FirstToken): boolean {
    return this.ended.has(`${generationId} epoch ${epoch}`);
  }

  /** The next first token of a long answer's attempt that a client sees. */
  nextFirstToken(isWanted: (token: FirstToken) => boolean): Promise<FirstToken> {
    return new Promise((resolve) => {
      const watcher = (token: FirstToken): void => {
        if (!isWanted(token)) return;
        this.watchers = this.watchers.filter((other) => other !== watcher);
        resolve(token);
      };
      this.watchers.push(watcher);
    });
  }

  /**
   * Every frame that reaches a client: one attempt's frames are pieces of one call's text, and of no other attempt's.
   */
  see(frame: GenerationFrame): void {
    const [generationId, epoch, , offset, delta, end] = frame;
    const attempt = `${generationId} epoch ${epoch}`;
    if (end) this.ended.add(attempt);
    if (delta === '') return;
    if (offset === 0) this.begin(frame, attempt);
    const call = this.callOf.get(attempt);
    const whole = call === undefined ? undefined : this.textOfCall.get(call);
    if (whole !== undefined && !whole.startsWith(delta, offset))
      this.note('doubled', `${attempt}: a frame at ${offset} does not belong to the text that it continues`);
  }

  private readonly textOfCall = new Map<number, string>();

  private begin([generationId, epoch, , , delta]: GenerationFrame, attempt: string): void {
    const reading = readAnswer(delta);
    if (!reading) return this.note('lost', `${attempt}: the first frame has no beginning`);
    const known = this.callOf.get(attempt);
    if (known !== undefined && known !== reading.call)
      this.note('doubled', `${attempt} was written by calls ${known} and ${reading.call}`);
    const other = this.attemptOf.get(reading.call);
    if (other !== undefined && other !== attempt)
      this.note('doubled', `call ${reading.call} shows in ${other} and in ${attempt}`);
    this.callOf.set(attempt, reading.call);
    this.attemptOf.set(reading.call, attempt);
    this.textOfCall.set(reading.call, reading.whole);
    if (this.begun.has(attempt)) return;
    this.begun.add(attempt);
    if (!this.longAnswers.has(generationId)) return;
    for (const watcher of this.watchers) watcher({ generationId, epoch, at: performance.now() });
  }
}

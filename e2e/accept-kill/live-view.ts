import type { Accepted, ConversationId, GenerationFrame, GenerationId } from '@parley/contracts';

type Wait = 'first words' | 'next words' | 'news' | 'takeover';
type Follow = { epoch: number; length: number; at: number };

/** Judges the p99.9 of all waits. The longest ones depend on the machine and are only reported. */
const judgedShare = 0.999;
/** The partitions of a dead member of a work group are blocked for a Kafka session of 10 s. The rest is for a busy machine. */
const waitWithinMs = 10_000 + 5_000;
/** From the last word: the lease of an answer, the sweep that finds it and another start take 15 s. The rest is for a busy machine. */
const takeoverWithinMs = 15_000 + 15_000;

/** How long people wait while processes die. Reloads and cut sockets are in it. */
export class LiveView {
  private killed = 'nothing';
  private readonly waits = new Map<string, Map<Wait, number[]>>();
  private readonly asked = new Map<GenerationId, number>();
  private readonly lastSeen = new Map<GenerationId, Follow>();
  private readonly follows = new WeakMap<object, Map<GenerationId, Follow>>();
  private readonly sent = new Map<
    ConversationId,
    { readonly from: number; readonly to: number; readonly at: number; readonly told: Set<object> }
  >();

  /** From now on waits are this kill's. */
  afterKillOf(kind: string): void {
    this.killed = kind;
  }

  /** The server said yes to a question. */
  acknowledged({ message, answer }: Pick<Accepted, 'message' | 'answer'>, generationId: GenerationId): void {
    const at = performance.now();
    if (!this.lastSeen.has(generationId)) this.asked.set(generationId, at);
    this.sent.set(message.conversationId, { from: message.sequence, to: answer.sequence, at, told: new Set() });
  }

  /** A tab is told of a change. */
  told(tab: object, conversationId: ConversationId, sequence: number): void {
    const sent = this.sent.get(conversationId);
    if (!sent || sequence < sent.from || sequence > sent.to || sent.told.has(tab)) return;
    sent.told.add(tab);
    this.add('news', performance.now() - sent.at);
  }

  /** What a tab that comes back is told once more is no new word. */
  seen(tab: object, [generationId, epoch, , offset, delta, end]: GenerationFrame): void {
    const now = { epoch, length: offset + delta.length, at: performance.now() };
    if (delta === '') return;
    const before = this.lastSeen.get(generationId);
    const askedAt = this.asked.get(generationId);
    if (before && epoch > before.epoch) this.add('takeover', now.at - before.at);
    else if (!before && askedAt !== undefined) this.add(epoch > 1 ? 'takeover' : 'first words', now.at - askedAt);
    this.asked.delete(generationId);
    if (isFurther(now, before)) this.lastSeen.set(generationId, now);
    this.follow(tab, generationId, now);
    if (end) this.follows.get(tab)?.delete(generationId);
  }

  lines(): string[] {
    return [...this.waits].map(([kind, waits]) => {
      const parts = [...waits].map(
        ([wait, times]) => `${wait} ${show(percentile(times, 0.5))} / ${show(percentile(times, 1))} of ${times.length}`,
      );
      return `after kills of ${kind}, median / longest wait: ${parts.join('; ')}`;
    });
  }

  /** Names each kind of wait whose p99.9 over all kills is as long as a rebalance, or for takeovers much longer than the lease. */
  tooLong(): string[] {
    const all = new Map<Wait, number[]>();
    for (const waits of this.waits.values())
      for (const [wait, times] of waits) all.set(wait, [...(all.get(wait) ?? []), ...times]);
    return [...all].flatMap(([wait, times]) => {
      const [judged, withinMs] = [
        percentile(times, judgedShare),
        wait === 'takeover' ? takeoverWithinMs : waitWithinMs,
      ];
      return judged < withinMs
        ? []
        : [`p99.9 of ${times.length} waits for ${wait} was ${show(judged)}, and should be below ${show(withinMs)}`];
    });
  }

  private follow(tab: object, generationId: GenerationId, now: Follow): void {
    const followed = this.follows.get(tab) ?? new Map<GenerationId, Follow>();
    this.follows.set(tab, followed);
    const before = followed.get(generationId);
    if (!isFurther(now, before)) return;
    followed.set(generationId, now);
    if (before?.epoch === now.epoch) this.add('next words', now.at - before.at);
  }

  private add(wait: Wait, ms: number): void {
    const waits = this.waits.get(this.killed) ?? new Map<Wait, number[]>();
    this.waits.set(this.killed, waits);
    const times = waits.get(wait) ?? [];
    waits.set(wait, times);
    times.push(ms);
  }
}

const isFurther = (now: Follow, before: Follow | undefined): boolean =>
  !before || now.epoch > before.epoch || (now.epoch === before.epoch && now.length > before.length);
const show = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;

/** The smallest time that at least this share of the times does not exceed: 1 is the longest. */
function percentile(times: readonly number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0;
}

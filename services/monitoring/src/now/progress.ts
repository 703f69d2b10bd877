import type { getProgress, RunningAnswer } from '@parley/contracts';
import type { ResponseOf } from '@parley/protocol';
import type { RunningAnswerRow } from '../running-answers/index.ts';

/** What chat says of one answer; undefined where it does not tell, or the answer has just ended. */
export type Progress = ResponseOf<typeof getProgress>['items'][number] | undefined;
type Shown = Pick<RunningAnswer, 'state' | 'firstTokenMs' | 'tokensPerSecond'>;

/** A rate needs some time: of the first moments it would be anything. */
const leastWritingMs = 250;

export function shownProgress({ queuedAt }: Pick<RunningAnswerRow, 'queuedAt'>, progress: Progress, now: Date): Shown {
  if (!progress) return { state: null, firstTokenMs: null, tokensPerSecond: null };
  const { status, firstTokenAt, outputTokens } = progress;
  if (firstTokenAt === null)
    return { state: status === 'queued' ? 'queued' : 'thinking', firstTokenMs: null, tokensPerSecond: null };
  const writingMs = Math.max(leastWritingMs, now.getTime() - Date.parse(firstTokenAt));
  return {
    state: 'writing',
    firstTokenMs: Math.max(0, Date.parse(firstTokenAt) - queuedAt.getTime()),
    tokensPerSecond: Math.round((10_000 * outputTokens) / writingMs) / 10,
  };
}

/** Of a minute that slides: this one so far, and so much of the one before as still lies within 60 s. */
export function errorsPerMinute({ last, current, now }: { last: number; current: number; now: Date }): number {
  const shareOfLast = 1 - (now.getTime() % 60_000) / 60_000;
  return Math.round(10 * (current + last * shareOfLast)) / 10;
}

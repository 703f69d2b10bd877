import type { Message } from '@parley/contracts';
import type { VisibleText } from '../../../domain/conversation/conversation-stream-state.ts';
import { isCut } from '@parley/contracts/cut-answers';
import type { AnswerEnd, SpineState } from './spine/index.tsx';

/**
 * `hasBegun`: a worker has the answer, although the stored status may not say so yet. `thoughts`: the model's
 * reasoning.
 */
export type ShownText = VisibleText & { readonly hasBegun: boolean; readonly thoughts: string };

/**
 * Returns the state that readers see, from the stored status and the live text. An answer that waits for budget is
 * queued.
 */
export function spineStateOf(message: Message, visible: ShownText): SpineState {
  const status = message.generation?.status;
  // A worker that has the answer may still be waiting for its budget.
  const mayWait = status === 'queued' || (status === 'running' && visible.text === '');
  if (mayWait && !visible.hasBegun) return 'queued';
  if (status === 'queued' || status === 'running')
    return visible.text === '' || visible.isEarlierAttempt ? 'thinking' : 'writing';
  return endOf(message) ?? 'none';
}

/** Returns how an answer ended early; null if it didn't, or hasn't ended. */
export function endOf({ generation }: Message): AnswerEnd | null {
  if (generation?.status === 'failed') return isCut(generation.failure) ? 'cut' : 'failed';
  return generation?.status === 'stopped' || generation?.status === 'interrupted' ? generation.status : null;
}

/** Returns true if an answer needs a note: it waits, ended early, or has no text. */
export const needsNote = ({ text, generation }: Message): boolean =>
  generation !== null && (generation.status !== 'done' || text.trim() === '');

/** Returns true if an answer can be continued: it has text, and wasn't ended by a failure that would happen again. */
export function mayGoOn({ text, generation }: Message): boolean {
  if (!generation || text === '' || !['stopped', 'failed', 'interrupted'].includes(generation.status)) return false;
  return generation.failure !== 'too-long' && generation.failure !== 'model-missing';
}

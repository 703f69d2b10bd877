import type { Message } from '@parley/contracts';
import type { VisibleText } from '../../../domain/conversation/conversation-stream-state.ts';
import { isCut } from '@parley/contracts/cut-answers';
import type { AnswerEnd, SpineState } from './spine/index.tsx';

/** `hasBegun`: a worker has it, although the durable status may not say so yet. `thoughts`: what its model thinks. */
export type ShownText = VisibleText & { readonly hasBegun: boolean; readonly thoughts: string };

/** What the reader is told about a run; derived from the durable status and the live text. Who waits is queued. */
export function spineStateOf(message: Message, visible: ShownText): SpineState {
  const status = message.generation?.status;
  // A worker that has it may still wait for its budget.
  const mayWait = status === 'queued' || (status === 'running' && visible.text === '');
  if (mayWait && !visible.hasBegun) return 'queued';
  if (status === 'queued' || status === 'running')
    return visible.text === '' || visible.isEarlierAttempt ? 'thinking' : 'writing';
  return endOf(message) ?? 'none';
}

/** How an answer ended early; null: it did not, or not yet. */
export function endOf({ generation }: Message): AnswerEnd | null {
  if (generation?.status === 'failed') return isCut(generation.failure) ? 'cut' : 'failed';
  return generation?.status === 'stopped' || generation?.status === 'interrupted' ? generation.status : null;
}

/** It waits, ended early, or there is nothing to read. */
export const needsNote = ({ text, generation }: Message): boolean =>
  generation !== null && (generation.status !== 'done' || text.trim() === '');

/** There is something to go on from, and a model that may do better this time. */
export function mayGoOn({ text, generation }: Message): boolean {
  if (!generation || text === '' || !['stopped', 'failed', 'interrupted'].includes(generation.status)) return false;
  return generation.failure !== 'too-long' && generation.failure !== 'model-missing';
}

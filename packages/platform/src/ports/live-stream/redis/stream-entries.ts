import type { LiveFrame, LivePosition } from '../live-stream.ts';

/**
 * An entry of a Redis stream. The id is `<epoch>-<seq>`, so Redis refuses a frame of an older epoch and a repeated one,
 * whichever process writes it. A reader's position is the id to continue from. Some frames also carry both texts before
 * them, for readers that lack trimmed frames.
 */
export type StreamEntry = readonly [id: string, fields: readonly string[]];
type Before = { readonly text: string; readonly thoughts: string };
type Kept = { readonly frame: LiveFrame; readonly before: Before | null };

export const keyOf = (stream: string): string => `parley:live:${stream}`;
/** The channel on which the name of each stream that begins is published. */
export const begunChannel = 'parley:live-begun';
/** The position before the first frame of the first epoch. */
export const beginning: LivePosition = { epoch: 0, seq: 0 };

/**
 * Returns the entry id of a position. Positions come from browsers: one that Redis can't read would make reading all
 * streams fail.
 */
export function idOf({ epoch, seq }: LivePosition): string {
  return `${wholeNumber(epoch)}-${wholeNumber(seq)}`;
}
const wholeNumber = (value: number): number => (Number.isSafeInteger(value) && value > 0 ? value : 0);

export function fieldsOf(frame: LiveFrame, before: Before | null): (string | number)[] {
  const fields: (string | number)[] = ['o', frame.offset, 'd', frame.delta];
  if (frame.thoughts) fields.push('p', frame.thoughts.offset, 'q', frame.thoughts.delta);
  if (frame.end) fields.push('e', frame.end);
  if (before !== null) fields.push('t', before.text);
  if (before?.thoughts) fields.push('u', before.thoughts);
  return fields;
}

function keptOf([id, fields]: StreamEntry): Kept {
  const position = positionOf(id);
  const values = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) values.set(fields[at]!, fields[at + 1]!);
  const end = values.get('e') as LiveFrame['end'];
  const thoughts = values.has('p') && { offset: Number(values.get('p')), delta: values.get('q') ?? '' };
  const frame: LiveFrame = {
    ...position,
    offset: Number(values.get('o')),
    delta: values.get('d') ?? '',
    ...(thoughts && { thoughts }),
    ...(end && { end }),
  };
  const text = values.get('t');
  return { frame, before: text === undefined ? null : { text, thoughts: values.get('u') ?? '' } };
}

function positionOf(id: string): LivePosition {
  const dash = id.indexOf('-');
  return { epoch: Number(id.slice(0, dash)), seq: Number(id.slice(dash + 1)) };
}

/** Returns true if `a` is before `b`. */
export const isBefore = (a: LivePosition, b: LivePosition): boolean =>
  a.epoch < b.epoch || (a.epoch === b.epoch && a.seq < b.seq);

/** Returns the entries of the newest epoch among them. */
export function newestEpochOf(entries: readonly StreamEntry[]): Kept[] {
  const kept = entries.map(keptOf);
  const newest = kept.at(-1)?.frame.epoch;
  return kept[0]?.frame.epoch === newest ? kept : kept.filter(({ frame }) => frame.epoch === newest);
}

/**
 * Returns the frame for a reader at that position: unchanged if it follows directly, joined with the text before it if
 * frames between are gone, null if it adds nothing.
 */
export function frameFor(after: LivePosition, { frame, before }: Kept): LiveFrame | null {
  if (!isBefore(after, frame)) return null;
  const next = after.epoch === frame.epoch ? after.seq + 1 : 1;
  if (frame.seq === next) return frame;
  if (before !== null) return wholeFrom(before, frame);
  return frame.offset === 0 && !frame.thoughts?.offset ? frame : null;
}

function wholeFrom(before: Before, frame: LiveFrame): LiveFrame {
  const thoughts = before.thoughts + (frame.thoughts?.delta ?? '');
  const whole = { ...frame, offset: 0, delta: before.text + frame.delta };
  return thoughts === '' ? whole : { ...whole, thoughts: { offset: 0, delta: thoughts } };
}

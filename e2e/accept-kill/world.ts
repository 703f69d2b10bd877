import type { ConversationId, FileId, GenerationId, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';

/** How long an answer is; a long one is still being written when the process is killed. */
export type Length = 'short' | 'long';
const wordsOf: Record<Length, number> = { short: 16, long: 290 };
/** About 80 tokens a second. */
export const tokenEveryMs = 12.5;

/** Seldom: each file is read by a process of its own. */
const fileEvery = 25;

export type Question = {
  readonly serial: number;
  readonly conversationId: ConversationId;
  readonly messageId: MessageId;
  readonly answerId: MessageId;
  readonly generationId: GenerationId;
  readonly text: string;
  /** A note that is attached to it, which the model is sent whole. */
  readonly note?: { readonly id: FileId; readonly text: string };
};

let questions = 0;

export function newQuestion(conversationId: ConversationId, length: Length): Question {
  questions += 1;
  const ids = {
    messageId: newId('message') as MessageId,
    answerId: newId('message') as MessageId,
    generationId: newId('generation') as GenerationId,
  };
  return { serial: questions, conversationId, ...ids, text: `Question q${questions}: a ${length} answer, please.` };
}

/** As `newQuestion`; some have a file. */
export function newQuestionOrFile(conversationId: ConversationId, length: Length): Question {
  const question = newQuestion(conversationId, length);
  const { serial } = question;
  return serial % fileEvery === 0
    ? { ...question, note: { id: newId('file'), text: `The note of q${serial}. `.repeat(serial) } }
    : question;
}

/** What a question asks for, also behind its files; null for anything else. */
export function readQuestion(text: string): { serial: number; length: Length } | null {
  const [, serial, length] = /(?:^|\n)Question q(\d+): a (short|long) answer/.exec(text) ?? [];
  return serial === undefined ? null : { serial: Number(serial), length: length as Length };
}

/** Each word says its place, and each call of the provider writes another text: a mixture of two, or a hole, shows. */
export function answerTokens(of: { serial: number; length: Length; call: number }): string[] {
  const { serial, length, call } = of;
  const words = Array.from(
    { length: wordsOf[length] },
    (_unused, index) => ` ${index + 1}.${(serial * 7919 + call * 613 + index * 104_729) % 9_973}`,
  );
  return [`Answer (${length}) to q${serial} by call ${call}:`, ...words, ' end.'];
}

const texts = new Map<string, string>();

export type Reading = {
  readonly serial: number;
  readonly call: number;
  readonly whole: string;
  readonly isWhole: boolean;
  readonly isPiece: boolean;
};

/**
 * Compares an answer, or what there is of it, with what the provider was to write. Null without a readable beginning.
 */
export function readAnswer(text: string): Reading | null {
  const [head, length, serial, call] = /^Answer \((short|long)\) to q(\d+) by call (\d+):/.exec(text) ?? [];
  if (head === undefined) return null;
  const of = { serial: Number(serial), length: length as Length, call: Number(call) };
  const whole = texts.get(head) ?? answerTokens(of).join('');
  texts.set(head, whole);
  return { serial: of.serial, call: of.call, whole, isWhole: text === whole, isPiece: whole.startsWith(text) };
}

export const between = (least: number, most: number): number => least + Math.floor(Math.random() * (most - least + 1));
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

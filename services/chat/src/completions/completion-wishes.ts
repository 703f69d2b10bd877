import type { CompletionMessage, CompletionRequest } from '@parley/contracts';
import type { ModelTurn } from '../models/index.ts';

/** What a program asks for, as the answer is written by it. */
export type CompletionWishes = {
  readonly turns: ModelTurn[];
  readonly instructions: string;
  readonly temperature: number | null;
  readonly maxOutputTokens: number | null;
  readonly stops: string[];
};

const textOf = (content: CompletionMessage['content']): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');

/** Of two limits the newer name counts; stop words without their repetitions. */
export function wishesOf(asked: CompletionRequest): CompletionWishes {
  const { messages, temperature, max_completion_tokens: most, max_tokens: mostByOldName, stop } = asked;
  const instructions: string[] = [];
  const turns: ModelTurn[] = [];
  for (const { role, content } of messages) {
    const text = textOf(content);
    if (role === 'user') turns.push({ role: 'person', text });
    else if (role === 'assistant') turns.push({ role: 'assistant', text });
    else if (text.trim() !== '') instructions.push(text);
  }
  return {
    turns,
    instructions: instructions.join('\n\n'),
    temperature: temperature ?? null,
    maxOutputTokens: most ?? mostByOldName ?? null,
    stops: [...new Set([stop ?? []].flat())],
  };
}

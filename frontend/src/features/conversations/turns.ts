import type { Message, MessageId } from '@parley/contracts';

/** A question with all its answers; an answer whose question is not loaded stands alone. */
export type Turn = { key: string; question: Message | null; answers: readonly Message[] };

export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: { key: string; question: Message | null; answers: Message[] }[] = [];
  const byQuestion = new Map<MessageId, (typeof turns)[number]>();
  for (const message of messages) {
    const known = message.role === 'assistant' && message.answerTo ? byQuestion.get(message.answerTo) : undefined;
    if (known) known.answers.push(message);
    else {
      const turn = { key: message.id, question: message.role === 'person' ? message : null, answers: message.role === 'person' ? [] : [message] };
      turns.push(turn);
      byQuestion.set(message.role === 'person' ? message.id : (message.answerTo ?? message.id), turn);
    }
  }
  return turns;
}

/** The last answer is shown unless another version was chosen; a running one always comes first. */
export function shownAnswer(answers: readonly Message[], chosen: MessageId | undefined): number {
  const last = answers.length - 1;
  const isLastRunning = ['queued', 'running'].includes(answers[last]?.generation?.status ?? '');
  const index = isLastRunning ? -1 : answers.findIndex((answer) => answer.id === chosen);
  return index < 0 ? last : index;
}

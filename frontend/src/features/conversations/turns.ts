import type { Message, MessageId } from '@parley/contracts';

/** A question with all its answers; an answer whose question is not loaded stands alone. */
export type Turn = {
  key: string;
  question: Message | null;
  answers: readonly Message[];
  /** The chatbot answers from here on in another version than before. */
  isNewVersion: boolean;
};
type Answered = NonNullable<NonNullable<Message['generation']>['chatbot']>;

const chatbotOf = (answer: Message | undefined): Answered | null => answer?.generation?.chatbot ?? null;

const isOtherVersion = (before: Answered | null, after: Answered | null): boolean =>
  before !== null && after !== null && before.id === after.id && before.version < after.version;

/** Without the questions that their author has thrown away, and their answers. */
export function withoutDiscarded(messages: readonly Message[]): readonly Message[] {
  const gone = new Set(messages.flatMap(({ id, isDiscarded }) => (isDiscarded ? [id] : [])));
  const isGone = ({ id, role, parentId }: Message) =>
    gone.has(id) || (role === 'assistant' && parentId !== null && gone.has(parentId));
  return gone.size === 0 ? messages : messages.filter((message) => !isGone(message));
}

/** Refused each time before a model was asked: the question is kept, and was sent to nobody. */
export const isUnsent = (answers: readonly Message[]): boolean =>
  answers.length > 0 && answers.every(({ generation, text }) => generation?.failure === 'budget-spent' && text === '');

export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: (Omit<Turn, 'answers'> & { answers: Message[] })[] = [];
  const byQuestion = new Map<MessageId, (typeof turns)[number]>();
  for (const message of messages) {
    const known = message.role === 'assistant' && message.parentId ? byQuestion.get(message.parentId) : undefined;
    if (known) known.answers.push(message);
    else {
      const turn = {
        key: message.id,
        question: message.role === 'person' ? message : null,
        answers: message.role === 'person' ? [] : [message],
        isNewVersion: false,
      };
      turns.push(turn);
      byQuestion.set(message.role === 'person' ? message.id : (message.parentId ?? message.id), turn);
    }
  }
  for (const [index, turn] of turns.entries())
    turn.isNewVersion = isOtherVersion(chatbotOf(turns[index - 1]?.answers.at(-1)), chatbotOf(turn.answers[0]));
  return turns;
}

export type Chunk = { key: number; turns: readonly Turn[] };
const positionsPerChunk = 20;

/** By position, so that older pages never move a turn into another chunk. */
export function chunksOf(turns: readonly Turn[]): Chunk[] {
  const chunks: { key: number; turns: Turn[] }[] = [];
  for (const turn of turns) {
    const key = Math.floor(((turn.question ?? turn.answers[0])?.position ?? 0) / positionsPerChunk);
    const last = chunks.at(-1);
    if (last?.key === key) last.turns.push(turn);
    else chunks.push({ key, turns: [turn] });
  }
  return chunks;
}

export const holds = ({ turns }: Pick<Chunk, 'turns'>, answerId: MessageId | undefined): boolean =>
  turns.some(({ answers }) => answers.some(({ id }) => id === answerId));

/** Made of the very same messages. */
export function isSameTurn(one: Turn, other: Turn): boolean {
  return (
    one.question === other.question &&
    one.isNewVersion === other.isNewVersion &&
    one.answers.length === other.answers.length &&
    one.answers.every((answer, index) => answer === other.answers[index])
  );
}

/** The last answer is shown unless another version was chosen; a running one always comes first. */
export function shownAnswer(answers: readonly Message[], chosen: MessageId | undefined): number {
  const last = answers.length - 1;
  const isLastRunning = ['queued', 'running'].includes(answers[last]?.generation?.status ?? '');
  const index = isLastRunning ? -1 : answers.findIndex((answer) => answer.id === chosen);
  return index < 0 ? last : index;
}

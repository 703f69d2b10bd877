import type { Message, MessageId } from '@parley/contracts';

/** A question of the path with its answer; either is null if it isn't loaded. */
export type Exchange = {
  key: string;
  question: Message | null;
  answer: Message | null;
  /** True if the chatbot's version is newer than in the answer before. */
  isNewVersion: boolean;
};
type Answered = NonNullable<NonNullable<Message['generation']>['chatbot']>;

const chatbotOf = (answer: Message | null | undefined): Answered | null => answer?.generation?.chatbot ?? null;

const isOtherVersion = (before: Answered | null, after: Answered | null): boolean =>
  before !== null && after !== null && before.id === after.id && before.version < after.version;

/** Returns the messages without discarded questions and their answers. */
export function withoutDiscarded(messages: readonly Message[]): readonly Message[] {
  const gone = new Set(messages.flatMap(({ id, isDiscarded }) => (isDiscarded ? [id] : [])));
  const isGone = ({ id, role, parentId }: Message) =>
    gone.has(id) || (role === 'assistant' && parentId !== null && gone.has(parentId));
  return gone.size === 0 ? messages : messages.filter((message) => !isGone(message));
}

/**
 * Returns true if a budget refused the answer before a model was asked: the question is stored, but no model got it.
 */
export const isUnsent = (answer: Message | null): boolean =>
  answer?.generation?.failure === 'budget-spent' && answer.text === '';

export function exchangesOf(messages: readonly Message[]): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const message of messages) {
    const last = exchanges.at(-1);
    const isQuestion = message.role === 'person';
    if (!isQuestion && last?.question && last.answer === null && last.question.id === message.parentId)
      last.answer = message;
    else
      exchanges.push({
        key: message.id,
        question: isQuestion ? message : null,
        answer: isQuestion ? null : message,
        isNewVersion: false,
      });
  }
  for (const [index, exchange] of exchanges.entries())
    exchange.isNewVersion = isOtherVersion(chatbotOf(exchanges[index - 1]?.answer), chatbotOf(exchange.answer));
  return exchanges;
}

export type Chunk = { key: number; exchanges: readonly Exchange[] };
/** A chunk has few enough messages that the browser lays it out within one task of 50 ms. */
const messagesPerChunk = 2;

/** Groups exchanges by depth, so that older pages never move an exchange into another chunk. */
export function chunksOf(exchanges: readonly Exchange[]): Chunk[] {
  const chunks: { key: number; exchanges: Exchange[] }[] = [];
  for (const exchange of exchanges) {
    const key = Math.floor(((exchange.question ?? exchange.answer)?.depth ?? 0) / messagesPerChunk);
    const last = chunks.at(-1);
    if (last?.key === key) last.exchanges.push(exchange);
    else chunks.push({ key, exchanges: [exchange] });
  }
  return chunks;
}

export const holds = ({ exchanges }: Pick<Chunk, 'exchanges'>, messageId: MessageId | null | undefined): boolean =>
  exchanges.some(({ question, answer }) => answer?.id === messageId || question?.id === messageId);

/** Returns true if both have the same messages, so that nothing must render. */
export const isSameExchange = (one: Exchange, other: Exchange): boolean =>
  one.question === other.question && one.answer === other.answer && one.isNewVersion === other.isNewVersion;

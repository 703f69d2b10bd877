import { createHash } from 'node:crypto';
import type { ChunkId, DocumentId, FileId, MessageFile } from '@parley/contracts';
import type { ModelRequest } from '../assistants/models/index.ts';
import { inputTokensAtMost, messagesOf } from '../assistants/models/prompt.ts';
import { gatherMaterial } from '../answers/generations/asking/answer-material.ts';
import type { AnswerPassages, FoundForAnswer } from '../answers/generations/asking/answer-passages.ts';
import type { PathMessage } from '../answers/generations/asking/path-messages.ts';

/** Counts the conversations; the number of each is the seed of its content. */
export const conversations = 40;

/** Mulberry32: numbers from 0 to 1, the same for each seed. */
function randomOf(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const words = 'heron stork crane otter بلشون Fischreiher 鷺 grid relay breaker'.split(' ');
type Dice = { readonly upTo: (most: number) => number; readonly isOneOf: (sides: number) => boolean };
const textOf = ({ upTo }: Dice, most: number): string =>
  Array.from({ length: 1 + upTo(most) }, () => words[upTo(words.length - 1)]).join(' ');

function diceOf(seed: number): Dice {
  const random = randomOf(seed);
  const upTo = (most: number): number => Math.floor(random() * (most + 1));
  return { upTo, isOneOf: (sides) => upTo(sides - 1) === 0 };
}

function attachedTo(dice: Dice, message: number): MessageFile[] {
  return Array.from({ length: dice.isOneOf(3) ? 1 + dice.upTo(3) : 0 }, (_, at) => {
    const use = (['whole', 'searched', 'image'] as const)[dice.upTo(2)]!;
    const name = use === 'image' ? `photo-${message}-${at}.png` : `plan "${message}" <${at}>.txt`;
    // Some files are attached to two questions.
    const id = (dice.isOneOf(6) ? 'fil_twice' : `fil_${message}_${at}`) as FileId;
    return { id, name, mediaType: use === 'image' ? 'image/png' : 'text/plain', bytes: 1, use };
  });
}

function pathOf(dice: Dice): PathMessage[] {
  const questions = 1 + (dice.isOneOf(3) ? dice.upTo(19) : dice.upTo(4));
  const most = [30, 300, 1_500][dice.upTo(2)]!;
  return Array.from({ length: questions }, (_, at): PathMessage[] => {
    const attached = attachedTo(dice, at);
    const question: PathMessage = {
      role: 'person',
      text: dice.isOneOf(8) ? '' : textOf(dice, most),
      ...(attached.length > 0 && { attached }),
    };
    // Some questions have no answer.
    const answer: PathMessage = { role: 'assistant', text: textOf(dice, most) };
    return at === questions - 1 || dice.isOneOf(6) ? [question] : [question, answer];
  }).flat();
}

const passageOf = (dice: Dice, at: number): FoundForAnswer =>
  ({
    chunkId: `chk_${at}` as ChunkId,
    documentId: (dice.isOneOf(3) ? null : `doc_${at}`) as DocumentId,
    documentName: `Handbook ${at}`,
    heading: dice.isOneOf(2) ? null : `Chapter ${at}`,
    place: dice.isOneOf(2) ? null : { kind: 'page', number: at },
    text: textOf(dice, 120),
    coverage: 1,
    ...(dice.isOneOf(3) && { fileId: `fil_${at}` as FileId }),
    ...(at === 0 && dice.isOneOf(4) && { curated: true }),
  }) as unknown as FoundForAnswer;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Returns what the answer to one of the conversations is made of, in short: texts by their length and hash. */
export async function promptOf(seed: number): Promise<object> {
  const dice = diceOf(seed);
  const contextTokens = [2_000, 8_000, 32_000, 200_000][dice.upTo(3)]!;
  const path = pathOf(dice);
  const most = dice.isOneOf(3) ? 0 : 8;
  const found = Array.from({ length: dice.upTo(most === 0 ? 4 : 12) }, (_, at) => passageOf(dice, at));
  const images = (['yes', 'no', 'unknown', null] as const)[dice.upTo(3)]!;
  const searched: string[] = [];
  const sources = {
    files: {
      whole: async (_scope: unknown, id: FileId) => {
        const own = diceOf(seed + id.length * 7 + Number(id.at(-1)?.charCodeAt(0)));
        const text = textOf(own, 600);
        return own.isOneOf(9) ? null : { text, tokens: Math.ceil(Buffer.byteLength(text) / 3) };
      },
    },
    images: {
      find: async (_scope: unknown, ids: readonly FileId[]) =>
        new Map(
          ids
            .filter((_id, at) => at % 7 !== 6)
            .map((id, at) => [id, { width: 400 + at * 150, height: 300, bytes: 900_000, read: async () => null }]),
        ),
    },
    find: async (_scope: unknown, { files }: { readonly files: readonly MessageFile[] }) => {
      searched.push(...files.map(({ name }) => name));
      return found;
    },
  } as unknown as AnswerPassages;
  const continued = dice.isOneOf(4)
    ? { text: textOf(dice, 400), citations: [{ number: 2, chunkId: 'chk_1', documentName: 'Handbook 1' }] }
    : null;
  const instructions = dice.isOneOf(2) ? '' : textOf(dice, 200);
  const onlyFromDocuments = dice.isOneOf(4);
  const maxOutputTokens = dice.isOneOf(3) ? 500 : null;
  const before: MessageFile[] = dice.isOneOf(3)
    ? [{ id: 'fil_before' as FileId, name: 'before.txt', mediaType: 'text/plain', bytes: 1, use: 'whole' }]
    : [];
  const material = await gatherMaterial(sources, {} as never, {
    ask: { kind: 'chat', continued, asker: { userId: 'usr_1', groupIds: null } } as never,
    answerer: {
      chatbotId: 'bot_1' as never,
      content: { knowledge: { onlyFromDocuments } } as never,
      upstream: dice.isOneOf(10) ? null : { host: 'api.example.com', model: 'gpt' },
      reading: { contextTokens, images: images && { accepts: images } },
    },
    wishes: { path, before, maxOutputTokens },
    within: [],
    ofProject: [],
    most,
    instructions,
  });
  const { path: told, passages, citations, isFound } = material;
  const beginning = continued?.text ?? '';
  const request = { instructions, onlyFromDocuments, path: told, beginning, passages, contextTokens, maxOutputTokens };
  const sent = messagesOf(request as unknown as ModelRequest);
  return {
    contextTokens,
    asked: path.length,
    sent: sent.map(({ role, content, images: seen = [] }) =>
      [role, content.length, digest(content), ...seen.map(({ name, tokens }) => `${name} ${tokens}`)].join(' '),
    ),
    searched,
    passages: passages.map(({ number, chunkId }) => `${number} ${chunkId}`),
    cited: citations.map(({ number, chunkId }) => `${number} ${chunkId}`),
    isFound,
    tokensAtMost: inputTokensAtMost(request as unknown as ModelRequest),
  };
}

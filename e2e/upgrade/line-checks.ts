import type { ConversationId, Message } from '@parley/contracts';
import type { ParleyClient } from '@parley/testing/client';
import assert from 'node:assert/strict';
import type { Expected } from './fixture.ts';
import { nextQuestion, queuedLine, type Line, type ShownTurn } from './line.ts';
import type { Outside } from './outside.ts';
import type { People } from './people.ts';
import { ask } from './talk.ts';

type Upgraded = { readonly expected: Expected; readonly outside: Outside };

/**
 * Chats of a release without branches open at what people saw, word for word, with all versions, and a model is told
 * with the next question what it would have been told. Comes after all of their answers have ended.
 */
export async function compareLines({ expected, outside }: Upgraded, people: People): Promise<void> {
  const wrong: string[] = [];
  const compare = (line: Line) =>
    compareLine(line, people[line.name], outside.prompts).catch((error: unknown) =>
      wrong.push(`${line.what}: ${error instanceof Error ? error.message : String(error)}`),
    );
  // One after the other: a person has only a few requests under way, and on a busy machine the rest would not wait long enough.
  for (const line of expected.lines ?? []) await compare(line);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

/**
 * Questions with their answers among the newest 40 messages. Of longer chats the end is compared: whether the question
 * itself is one of the 40 depends on the process that reads them, and in a line versions were, too.
 */
const turnsOfWindow = 20;
/** Begins what the built-in assistant says below its quotations, in the words of its release. */
const signature = '\n\n*';

async function compareLine(line: Line, person: ParleyClient, prompts: Outside['prompts']): Promise<void> {
  const { conversationId, shown, isDeleted } = line;
  const params = { conversationId };
  if (isDeleted) await person.call('POST /api/chat/conversations/:conversationId/restore', { params });
  const { messages, versions, leafId } = await readPath(person, conversationId);
  const isWrittenNow = line.what === queuedLine;
  const said = (text: string) => (isWrittenNow ? text.split(signature)[0] : text);
  const sayings = (words: readonly (Words | Message)[]) =>
    words.map(wordsOf).map((one) => ({ ...one, text: said(one.text) }));
  assert.deepEqual(sayings(messages), sayings(shown.flatMap(pathOf)));
  assert.deepEqual(versions, versionsOf(shown));
  assert.equal(leafId, messages.at(-1)?.id);
  const isCutOff = messages.at(-1)?.text === '' && shown.at(-1)?.answers.some(({ text }) => text !== '');
  // A page of today asks behind the end of the path. One of 0.2.0 names no parent and goes on from what was said last.
  await ask(person, nextQuestion(line), { conversationId, ...(leafId && !isCutOff && { parentId: leafId }) });
  const prompt = prompts.get(nextQuestion(line)) ?? [];
  const wanted = joinedTurns(line.prompt);
  const most = shown.length > turnsOfWindow ? Math.min(prompt.length, wanted.length) : Number.POSITIVE_INFINITY;
  assert.ok(most > 2 * (turnsOfWindow - 2), `A model was told of ${prompt.length} messages.`);
  const turns = (prompted: Line['prompt']) => prompted.slice(-most).map(({ role, content }) => [role, said(content)]);
  assert.deepEqual(turns(prompt), turns(wanted));
}

/** Joins questions in a row, as this version does; releases up to 0.3.0 sent each as a turn of its own. */
const joinedTurns = (prompt: Line['prompt']): Line['prompt'] =>
  prompt.reduce<Line['prompt']>((turns, turn) => {
    const last = turns.at(-1);
    if (last?.role !== 'user' || turn.role !== 'user') return [...turns, turn];
    return [...turns.slice(0, -1), { ...last, content: `${last.content}\n\n${turn.content}` }];
  }, []);

async function readPath(person: ParleyClient, conversationId: ConversationId) {
  const messages: Message[] = [];
  const versions: Record<string, readonly string[]> = {};
  let leafId: string | null = null;
  for (let before: number | undefined; ;) {
    const page = await person.call('GET /api/chat/conversations/:conversationId/path', {
      params: { conversationId },
      query: { before, limit: 100 },
    });
    leafId ??= page.leafId;
    messages.unshift(...page.items);
    for (const { parentId, ids } of page.versions) versions[parentId ?? 'start'] = ids;
    before = page.items[0]?.depth;
    if (!page.hasOlder || before === undefined) return { messages, versions, leafId: leafId as Message['id'] | null };
  }
}

/**
 * A question and the answer that is on the path. That was the newest one; where another question followed, the model was
 * told of the newest one with text, which then is the one that the question follows.
 */
function pathOf({ question, answers }: ShownTurn, index: number, turns: readonly ShownTurn[]) {
  const newest = answers.at(-1);
  const followed = index < turns.length - 1 ? answers.findLast(({ text }) => text !== '') : undefined;
  const answer = followed ?? newest;
  return [question, ...(answer ? [answer] : [])];
}

type Words = { readonly id: string; readonly text: string };
const wordsOf = (message: Words | Message | ShownTurn['answers'][number]) => ({
  id: message.id,
  text: message.text,
  ...('generation' in message && message.generation && stateOf(message.generation)),
  ...('status' in message && { status: message.status, failure: message.failure }),
});
const stateOf = ({ status, failure }: NonNullable<Message['generation']>) => ({ status, failure: failure ?? '' });

const versionsOf = (shown: readonly ShownTurn[]) =>
  Object.fromEntries(
    shown
      .filter(({ answers }) => answers.length > 1)
      .map(({ question, answers }) => [question.id, answers.map(({ id }) => id)]),
  );

// How well passages are found: the questions of this folder, asked of the built product over the documents beside them,
// beside a plain BM25 of a published library over the same passages. A third of the questions is held out: nobody looks
// at them one by one while ranking is changed.
import type { Message } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { ParleyClient } from '@parley/testing/client';
import MiniSearch from 'minisearch';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inFolder, startProduct } from '../embedded.ts';
import { percentile, wait } from '../product.ts';
import { measureLarge } from './large.ts';
import { allSearchable, anOwner, documentTexts, questionsOf, type Question } from './scene.ts';

type Passage = { readonly documentName: string; readonly heading: string | null; readonly text: string };
type Search = (question: string) => Promise<readonly Passage[]>;
type Answer = (question: string) => Promise<string>;

const silence = 'Nothing in your documents answers this.';
const mostShown = 8;

/** Among so many passages more only the times are measured; 0 is the folder's documents alone. */
export const benchRetrieval = (passages: number) => (interruption: Promise<never>) =>
  inFolder(async (folder) => {
    const product = await startProduct({ folder, environment: {} });
    const [measure, file] = passages === 0 ? [measureFinding, 'latest.json'] : [measureLarge, 'latest-large.json'];
    try {
      const measured = await Promise.race([measure(product.url, passages), interruption]);
      process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`);
      const report = { at: new Date().toISOString(), ...measured };
      writeFileSync(join(import.meta.dirname, file), `${JSON.stringify(report, null, 2)}\n`);
    } finally {
      await product.close();
    }
  });

async function measureFinding(url: string) {
  const owner = await anOwner(url);
  for (const { name, text } of documentTexts()) await owner.upload(name, text);
  await allSearchable(owner, 60);
  const times: number[] = [];
  const search: Search = async (text) => {
    const begun = performance.now();
    const { passages } = await owner.call('POST /api/chat/search-tests', { body: { text } });
    times.push(performance.now() - begun);
    return passages;
  };
  const floor = await floorOf(owner);
  const [tuned, heldOut] = [questionsOf('questions.json'), questionsOf('held-out.json')];
  return {
    tuned: await judge(tuned, search),
    heldOut: await judge(heldOut, search),
    floorTuned: await judge(tuned, floor),
    floorHeldOut: await judge(heldOut, floor),
    quoted: await judgeAnswers([...tuned, ...heldOut], answering(owner)),
    searchP50Ms: percentile(times, 0.5),
    searchP99Ms: percentile(times, 0.99),
  };
}

/** Over the passages as the product has cut them: what it finds for each word of the documents. */
async function floorOf(owner: ParleyClient): Promise<Search> {
  const known = new Map<string, Passage>();
  for (const { text: whole } of documentTexts()) {
    const words = new Set(whole.split(/[\s|<>.,]+/u));
    const texts = [...words].filter((word) => word.length > 1);
    for (let at = 0; at < texts.length; at += 3) {
      const text = texts.slice(at, at + 3).join(' ');
      const { passages } = await owner.call('POST /api/chat/search-tests', { body: { text } });
      for (const passage of passages) known.set(passage.chunkId, passage);
    }
  }
  const index = new MiniSearch<Passage & { id: string }>({ fields: ['text', 'heading'] });
  index.addAll([...known].map(([id, passage]) => ({ id, ...passage })));
  return (question) =>
    Promise.resolve(
      index
        .search(question)
        .slice(0, mostShown)
        .flatMap(({ id }) => known.get(id as string) ?? []),
    );
}

/** Where in the list the first passage stands that answers; 0 where none does. */
function rankOf({ document, holds }: Question, passages: readonly Passage[]): number {
  const isAnswer = ({ documentName, heading, text }: Passage): boolean => {
    const whole = `${heading ?? ''} ${text}`.replaceAll(/\s+/g, ' ');
    return documentName === document && holds.every((part) => whole.includes(part));
  };
  return passages.findIndex(isAnswer) + 1;
}

async function judge(questions: readonly Question[], search: Search) {
  const answerable = questions.filter(({ document }) => document !== null);
  const ranks: number[] = [];
  for (const one of answerable) ranks.push(rankOf(one, await search(one.question)));
  const hitAt = (most: number) => ranks.filter((rank) => rank > 0 && rank <= most).length / ranks.length;
  const reciprocal = ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / ranks.length;
  return { questions: ranks.length, hitAt1: hitAt(1), hitAt3: hitAt(3), hitAt8: hitAt(8), reciprocal };
}

/** What a new user sees: the built-in assistant's quotations, and where it says that nothing answers. */
async function judgeAnswers(questions: readonly Question[], answer: Answer) {
  const counts = { answerable: 0, answered: 0, blocks: 0, beside: 0, unanswerable: 0, silent: 0 };
  for (const { question, document, holds } of questions) {
    const text = await answer(question);
    if (document === null) {
      counts.unanswerable += 1;
      if (text.includes(silence)) counts.silent += 1;
      continue;
    }
    const blocks = text.split('\n\n').filter((block) => /^[>|]/.test(block));
    const isOn = (block: string) => holds.some((part) => block.includes(part));
    counts.answerable += 1;
    if (holds.every((part) => blocks.some((block) => block.includes(part)))) counts.answered += 1;
    counts.blocks += blocks.length;
    counts.beside += blocks.filter((block) => !isOn(block)).length;
  }
  return counts;
}

const answering =
  (owner: ParleyClient): Answer =>
  async (question) => {
    const conversationId = newId('conversation');
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    await owner.send(conversationId, question, ids);
    for (let left = 300; left > 0; left -= 1) {
      const answer: Message | undefined = (await owner.messages(conversationId)).items.at(-1);
      if (answer?.generation?.status === 'done') return answer.text;
      await wait(50);
    }
    throw new Error(`No answer came to: ${question}`);
  };

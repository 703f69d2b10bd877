import { Injectable } from '@nestjs/common';
import type { ChunkId, FileId, MessageFile } from '@parley/contracts';
import { mostFilePassages } from '@parley/contracts/prompt-budget';
import { derivedId } from '@parley/platform/ids';
import type { OrganisationScope } from '@parley/platform/mongo';
import { giveWay } from '@parley/platform/give-way';
import { askedWords } from '@parley/platform/text';
import { type Asker } from '../embeddings/index.ts';
import { byStem, fuse, inverseFrequency, lengthIn, relevance, timesIn, type FoundPassage } from '../retrieval/index.ts';
import { tokensOf } from '../../assistants/models/index.ts';
import { FileMeaning, type Close } from './file-meaning.ts';
import { FilePassages, type Counted } from './file-passages.ts';
import { wholeText } from './file.ts';

const mostWords = 24;
/** What scores less than this part of the best is beside the question. */
const leastOfBest = 0.4;
/** Between two pauses in which others have their turn. */
const rankedAtOnce = 500;

/** A passage of a file of the chat. As of a curated answer, document and passage follow from its own ids. */
export type FilePassage = FoundPassage & { readonly fileId: FileId };
type Named = Pick<MessageFile, 'id' | 'name'>;
type Wanted = {
  readonly files: readonly Named[];
  readonly question: string;
  readonly most: number;
  readonly asker: Asker;
};
/** So far down either list a passage counts. */
const mostListed = 24;

/** Reads files of a chat for its answers: their whole texts, or the passages that fit a question. */
@Injectable()
export class FileSearch {
  constructor(
    private readonly passages: FilePassages,
    private readonly meaning: FileMeaning,
  ) {}

  /** The whole text of a file, and its estimated tokens; null where it is gone. */
  async whole(scope: OrganisationScope, id: FileId): Promise<{ text: string; tokens: number } | null> {
    const passages = await this.passages.textOf(scope, id);
    if (passages.length === 0) return null;
    const text = wholeText(passages);
    return { text, tokens: tokensOf(text) };
  }

  /**
   * The best passages of these files for a question, best first. How rare a word is counts among these files only. Of
   * files with more passages together than a path can have those of the first files are searched: callers name the newest
   * first.
   */
  async find(scope: OrganisationScope, { files, question, most, asker }: Wanted): Promise<FilePassage[]> {
    if (files.length === 0 || most === 0) return [];
    const { ids, searched } = await firstPassages(
      files.map(({ id }) => id),
      { most: mostFilePassages, countsOf: (id) => this.passages.countsOf(scope, id) },
    );
    const [byWords, byMeaning] = await Promise.all([
      rank(searched, question),
      this.meaning.nearest(scope, { ids, question, asker, most: mostListed }),
    ]);
    const isSearched = new Set(searched.map(({ id }) => id));
    const best = together(byWords, byMeaning?.filter(({ id }) => isSearched.has(id)) ?? null).slice(0, most);
    const rows = await this.passages.findMany(
      scope,
      best.map(({ id }) => id),
    );
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    const nameOf = new Map(files.map(({ id, name }) => [id, name]));
    return best.flatMap(({ id, ...judged }) => {
      const row = rowOf.get(id);
      if (!row) return [];
      const { fileId, id: chunkId, ...passage } = row;
      const documentId = derivedId('document', ['file', fileId]);
      return { ...passage, chunkId, documentId, documentName: nameOf.get(fileId) ?? '', fileId, ...judged };
    });
  }
}

type Reading = { readonly most: number; readonly countsOf: (id: FileId) => Promise<readonly Counted[]> };

/** Reads passages of these files in their order until there are `most`. Returns them with the files that they are of. */
export async function firstPassages(wanted: readonly FileId[], { most, countsOf }: Reading) {
  const searched: Counted[] = [];
  const ids: FileId[] = [];
  for (const id of wanted) {
    if (searched.length >= most) break;
    ids.push(id);
    searched.push(...(await countsOf(id)).slice(0, most - searched.length));
  }
  return { ids, searched };
}

type Ranked = { readonly id: ChunkId; readonly score: number; readonly coverage: number };

/** Both orders as one, as those of documents are. */
function together(byWords: readonly Ranked[], byMeaning: readonly Close[] | null) {
  if (!byMeaning || byMeaning.length === 0) return byWords;
  const listed = byWords.slice(0, mostListed).map((ranked) => ({ ...ranked, chunkId: ranked.id }));
  const close = byMeaning.map((one) => ({ ...one, chunkId: one.id, score: one.similarity, coverage: 0 }));
  return fuse(listed, close).map(({ chunkId: _same, ...judged }) => judged);
}

/** Those that say something of what was asked, best first. */
async function rank(passages: readonly Counted[], question: string) {
  const asked = askedWords(question).slice(0, mostWords);
  if (passages.length === 0) return [];
  // A file that was sent without words is asked about from its beginning on.
  if (asked.length === 0) return passages.map(({ id }) => ({ id, score: 0, coverage: 1 }));
  const matching = asked.map(() => 0);
  let length = 0;
  for (const [at, { counts }] of passages.entries()) {
    length += lengthIn(counts);
    for (const [index, { stems }] of asked.entries())
      if (stems.some((stem) => timesIn(counts, stem) > 0)) matching[index]! += 1;
    if (at % rankedAtOnce === rankedAtOnce - 1) await giveWay();
  }
  const words = asked.map((word, at) => ({ ...word, weight: inverseFrequency(matching[at]!, passages.length) }));
  const known = words.filter((_word, at) => matching[at]! > 0);
  const judged = { words: byStem(known), asked: words, averageLength: Math.max(length / passages.length, 1) };
  const scored = passages.map(({ id, counts }) => ({ id, ...relevance(counts, judged) }));
  const ranked = scored.filter(({ score }) => score > 0).toSorted((one, other) => other.score - one.score);
  const least = (ranked[0]?.score ?? 0) * leastOfBest;
  return ranked.filter(({ score }) => score >= least);
}

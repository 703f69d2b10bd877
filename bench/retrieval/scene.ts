// What both measurements of retrieval need.
import { ParleyClient } from '@parley/testing/client';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wait } from '../product.ts';

export type Question = {
  readonly language: string;
  readonly question: string;
  /** Null where no document answers it. */
  readonly document: string | null;
  /** A passage that has all of these, with its heading, answers it. */
  readonly holds: readonly string[];
};

const folder = join(import.meta.dirname, 'documents');

export const documentTexts = (): { readonly name: string; readonly text: string }[] =>
  readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

export const questionsOf = (file: 'questions.json' | 'held-out.json'): Question[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as Question[];

export async function anOwner(url: string): Promise<ParleyClient> {
  const owner = new ParleyClient(url);
  await owner.register({ name: 'Ines', email: 'ines@example.com', password: 'three quiet herons' });
  await owner.createOrganisation('Lindmoor');
  return owner;
}

/** Waits until all of its documents are read; throws after so many seconds. */
export async function allSearchable(owner: ParleyClient, mostSeconds: number): Promise<void> {
  for (let left = mostSeconds * 10; left > 0; left -= 1) {
    const { counts } = await owner.call('GET /api/chat/documents', { query: { limit: 1 } });
    if (counts.searchable === counts.all) return;
    await wait(100);
  }
  throw new Error(`The documents were not read in ${mostSeconds} s.`);
}

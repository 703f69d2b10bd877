import type { ChatbotContent, ChatbotTest, TestRun, TestRunSummary } from '@parley/contracts';
import { createHash } from 'node:crypto';
import type { TestRow, TestRunRow } from './test.collection.ts';

/**
 * Returns a hash that is the same for equal contents. JSON is comparable here, because one schema parses all contents
 * and orders their fields.
 */
export const contentHashOf = (content: ChatbotContent): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url');

export const isOver = (state: TestRunRow['results'][number]['state']): boolean =>
  state !== 'waiting' && state !== 'running';

export function toTest({ _id, revision, question, expects, editedAt, editedBy }: TestRow): ChatbotTest {
  return { id: _id, revision, question, expects, editedAt: editedAt.toISOString(), editedBy };
}

/** Returns a run for lists. `draftHash`, the content hash of the current draft, decides `isOfDraft`. */
export function toRunSummary(row: TestRunRow, draftHash: string): TestRunSummary {
  const { _id, chatbotId, version, contentHash, status, asker, startedAt, finishedAt, results } = row;
  return {
    id: _id,
    chatbotId,
    version,
    isOfDraft: contentHash === draftHash,
    status,
    startedBy: { userId: asker.userId, name: asker.name },
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    counts: {
      all: results.length,
      ended: results.filter(({ state }) => isOver(state)).length,
      passed: results.filter(({ state }) => state === 'passed').length,
    },
  };
}

export function toRun(row: TestRunRow, draftHash: string): TestRun {
  const results = row.results.map(({ expects: _expects, ...result }) => result);
  return { ...toRunSummary(row, draftHash), results };
}

/** Returns how many of the current tests passed in the run; edited tests don't count. */
export function passedNow(run: TestRunRow, tests: readonly TestRow[]): number {
  const revisions = new Map(tests.map(({ _id, revision }) => [_id, revision]));
  return run.results.filter(({ testId, revision, state }) => state === 'passed' && revisions.get(testId) === revision)
    .length;
}

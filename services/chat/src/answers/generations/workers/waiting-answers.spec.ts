import { expect, test } from '@jest/globals';
import { FairTurns } from '@parley/platform/fair-turns';
import { newId } from '@parley/platform/ids';
import type { OrgId } from '@parley/protocol';
import type { Generation } from '../rows/generation.collection.ts';
import { WaitingAnswers } from './waiting-answers.ts';

const [flood, other] = [newId('organisation'), newId('organisation')].sort() as [OrgId, OrgId];
const queued = (_id: string, orgId: OrgId): Generation =>
  ({ _id, orgId, userId: `of ${orgId}`, status: 'queued', queuedAt: new Date(Number(_id.slice(1))) }) as never;
const rows = [...Array.from({ length: 5 }, (_unused, at) => queued(`a${at}`, flood)), queued('b9', other)];

const waiting = new WaitingAnswers({
  turns: new FairTurns({ all: 4 }),
  flows: {
    keyOf: (organisation, person) => ({ flow: organisation, organisation, person }),
    except: () => ({ $nin: [] }),
  },
  generations: {
    listWaiting: async (_scope, { limit }) => rows.slice(0, Math.min(limit, 3)),
    nextWaiting: async (_scope, last) => rows.find(({ orgId }) => last === null || orgId > last.orgId) ?? null,
  },
});
const ids = async (limit: number) =>
  (await waiting.inOrder({ leaseEndedBefore: new Date(), limit, leftAlone: 0 })).map(({ _id }) => _id);

test('finds the oldest question of each person and lets people take turns if more wait than it reads at once', async () => {
  expect(await ids(3)).toEqual(['a0', 'b9', 'a1', 'a2']);
});

test('makes no search per person if one read has all questions', async () => {
  expect(await ids(4)).toEqual(['a0', 'a1', 'a2']);
});

import { orgId, userId, type OrgId, type UserId } from '@parley/protocol';
import { anOrgId } from '@parley/testing';
import { z } from 'zod';
import { newId } from '../../base/ids/index.ts';
import { collection, jobScope, type Mongo } from './index.ts';

export const noteRows = collection(
  'notes',
  {
    _id: z.string(),
    orgId,
    authorId: userId,
    text: z.string(),
    tags: z.array(z.string()),
    place: z.object({ page: z.number() }).nullable(),
    kind: z.enum(['short', 'long']),
    at: z.date(),
    slug: z.string().nullable(),
  },
  {
    tenant: { organisation: 'orgId', person: 'authorId' },
    indexes: [
      { orgId: 1, at: -1, _id: -1 },
      { authorId: 1 },
      [{ slug: 1 }, { unique: true, partialFilterExpression: { slug: { $type: 'string' } } }],
    ],
  },
);
export const wordRows = collection(
  'words',
  { _id: z.string(), orgId, text: z.string(), at: z.date(), searchKeys: z.array(z.string()) },
  {
    tenant: { organisation: 'orgId' },
    indexes: [{ orgId: 1, at: -1, _id: -1 }, { searchKeys: 1 }],
    keys: ['searchKeys'],
  },
);
export const settingRows = collection('settings', { _id: z.string(), value: z.number() }, { tenant: 'platform' });
export const officeRows = collection('offices', { _id: orgId, size: z.number() }, { tenant: { organisation: '_id' } });

export const job = jobScope('tests');
export const [mine, theirs] = [anOrgId(), anOrgId()];
export const me = newId('user');
export const aNote = (id: string, more: Partial<{ orgId: OrgId; authorId: UserId; at: Date; slug: string }> = {}) => ({
  _id: id,
  orgId: mine,
  authorId: me,
  text: `text of ${id}`,
  tags: [],
  place: null,
  kind: 'short' as const,
  at: new Date(0),
  slug: null,
  ...more,
});

/** Runs `act` in a transaction. */
export const inTransactionOf = <Result>(mongo: Mongo, act: (tx: never) => Promise<Result>): Promise<Result> =>
  mongo.transaction((session) => act({ session } as never));

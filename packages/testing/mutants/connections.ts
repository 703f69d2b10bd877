import type { Mutant } from './mutant.ts';

const chat = 'services/chat/src';
const readers = 'chat/src/generations/prepare-answer.spec';

export const connectionMutants: readonly Mutant[] = [
  {
    breaks: 'everybody reads every connection',
    file: `${chat}/connections/readable-connections.ts`,
    find: 'all.filter(({ audience }) => isFor(audience, reader))',
    put: 'all',
    spec: readers,
  },
  {
    breaks: 'an answer forgets the groups of its asker',
    file: `${chat}/generations/prepare-answer.ts`,
    find: 'organisation: { role, groupIds: groupIds ?? [] }',
    put: 'organisation: { role, groupIds: [] }',
    spec: readers,
  },
  {
    breaks: 'an answer forgets the role of its asker',
    file: `${chat}/generations/new-answer.ts`,
    find: '...(principal.organisation.role && { role: principal.organisation.role }),',
    put: '',
    spec: readers,
  },
  {
    breaks: 'a chatbot looks beyond its connections',
    file: `${chat}/generations/prepare-answer.ts`,
    find: 'connectionIds ? readable.filter((id) => connectionIds.includes(id)) : readable',
    put: 'readable',
    spec: readers,
  },
  {
    breaks: 'a chatbot gives what its asker may not read',
    file: `${chat}/generations/prepare-answer.ts`,
    find: 'connectionIds ? readable.filter((id) => connectionIds.includes(id)) : readable',
    put: 'connectionIds ?? readable',
    spec: readers,
  },
  {
    breaks: 'a passage is read by whoever knows its id',
    file: `${chat}/retrieval/keyword-index.ts`,
    find: 'findOne({ _id: chunkId, ...inConnections(scope.orgId, within),',
    put: 'findOne({ _id: chunkId,',
    spec: 'chat/src/retrieval/keyword-index.spec',
  },
  {
    breaks: 'a document stands in the list of whoever may not read it',
    file: `${chat}/connections/readable-connections.ts`,
    find: "if (!allows({ userId: member.userId, ...member.organisation }, 'data_connection:manage'))",
    put: 'if (!member)',
    spec: readers,
  },
  {
    breaks: 'what is ranked counts what cannot be read',
    file: `${chat}/retrieval/keyword-index.ts`,
    find: 'count(inConnections(scope.orgId, within), { limit: countLimit * 2 })',
    put: 'count({}, { limit: countLimit * 2 })',
    spec: 'chat/src/retrieval/keyword-index.spec',
  },
  {
    breaks: 'a tenth and more is removed without a question',
    file: `${chat}/connections/connection.ts`,
    find: 'count * 10 > of',
    put: 'count > of',
    spec: 'chat/src/syncing/sync-bucket.spec',
  },
  {
    breaks: 'what a dead worker has counted is counted again',
    file: `${chat}/syncing/sync-bucket.ts`,
    find: 'isSame(one) && !isSeen(one))',
    put: 'isSame(one))',
    spec: 'chat/src/syncing/sync-bucket.spec',
  },
  {
    breaks: 'a list that was read to its end is read again',
    file: `${chat}/syncing/sync-bucket.ts`,
    find: 'isMore = after !== listEnded',
    put: 'isMore = true',
    spec: 'chat/src/syncing/sync-bucket.spec',
  },
  {
    breaks: 'exactly a tenth asks',
    file: `${chat}/connections/connection.ts`,
    find: 'count * 10 > of',
    put: 'count * 10 >= of',
    spec: 'chat/src/syncing/sync-site.spec',
  },
  {
    breaks: 'a secret goes to another host',
    file: `${chat}/syncing/source-settings.ts`,
    find: 'new URL(before.endpoint).host === new URL(after.endpoint).host',
    put: 'true',
    spec: 'chat/src/syncing/sync-runner.spec',
  },
  {
    breaks: 'a worker begins again what another has left',
    file: `${chat}/connections/connections.repository.ts`,
    find: "...(syncState === 'waiting' && begin)",
    put: '...begin',
    spec: 'chat/src/syncing/sync-runner.spec',
  },
  {
    breaks: 'a site leads out of its path',
    file: `${chat}/syncing/site-scope.ts`,
    find: 'url.pathname === below || url.pathname.startsWith(folder)',
    put: 'url.pathname.startsWith(below)',
    spec: 'chat/src/syncing/sync-site.spec',
  },
];

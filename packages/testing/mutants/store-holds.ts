import type { Mutant } from './mutant.ts';

const chat = 'services/chat/src';
const store = 'packages/embedded-mongo/src';

export const storeHoldsMutants: readonly Mutant[] = [
  {
    breaks: 'a large document that was deleted is found until all of its passages are hidden',
    file: `${chat}/retrieval/keyword-index.ts`,
    find: ', ...notOf(hidden) }',
    put: ' }',
    spec: 'chat/src/retrieval/hidden-documents.spec',
  },
  {
    breaks: 'a batch of an earlier change is applied after a later one',
    file: `${chat}/retrieval/hidden-documents.ts`,
    find: 'mine?.version !== version || mine.isSettled',
    put: 'mine?.isSettled !== false',
    spec: 'chat/src/retrieval/hidden-documents.spec',
  },
  {
    breaks: 'a transaction of thousands of writes passes the tests',
    file: `${store}/commands/write-statements.ts`,
    find: 'context.isInTransaction && context.session ? context.session : context',
    put: 'context',
    spec: 'embedded-mongo/src/holds.spec',
  },
  {
    breaks: 'a group of writes keeps reads waiting for as long as writes come',
    file: `${store}/engine/executor.ts`,
    find: 'performance.now() >= endsAt && running.length > 0',
    put: 'false',
    spec: 'embedded-mongo/src/holds.spec',
  },
  {
    breaks: 'a heartbeat that is late fails all requests of the embedded store',
    file: 'packages/platform/src/mongo/mongo.ts',
    find: 'connectTimeoutMS: isInProcess ? 0 : silenceMs',
    put: 'connectTimeoutMS: silenceMs',
    spec: 'testing/src/store-stall.spec',
  },
  {
    breaks: 'a page of messages has no bound in bytes',
    file: `${chat}/messages/bounded-page.ts`,
    find: 'bytes > mostPageBytes && items.length > 0',
    put: 'false',
    spec: 'chat/src/messages/bounded-page.spec',
  },
  {
    breaks: 'one person has as many requests under way as they like',
    file: 'bff/src/proxy/request-slots.ts',
    find: 'person.running < most',
    put: 'true',
    spec: 'bff/src/proxy/request-slots.spec',
  },
];

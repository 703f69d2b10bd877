import type { Mutant } from './mutant.ts';

const repository = 'services/chat/src/conversations/conversations.repository.ts';
const documents = 'services/chat/src/documents/documents.repository.ts';
const eraser = 'services/chat/src/erasure/conversation-eraser.ts';
const spec = 'chat/src/erasure/conversation-eraser.spec';

export const erasureMutants: readonly Mutant[] = [
  {
    breaks: 'a deleted chat is erased before its time',
    file: repository,
    find: "const due = { isDeleted: true, erasure: 'waiting', eraseAt: { $lte: now } } as const;",
    put: "const due = { isDeleted: true, erasure: 'waiting' } as const;",
    spec,
  },
  {
    breaks: 'a chat is restored while it is being erased',
    file: repository,
    find: "erasure: { $in: [null, 'waiting'] }",
    put: "erasure: { $in: [null, 'waiting', 'begun'] }",
    spec,
  },
  {
    breaks: 'a chat is erased while its answer is written',
    file: repository,
    find: "{ isDeleted: true, erasure: 'begun', running: null }",
    put: "{ isDeleted: true, erasure: 'begun' }",
    spec,
  },
  {
    breaks: "a colleague erases somebody's deleted chat",
    file: repository,
    find: '{ _id: id, ...visible, ...restorable }, beginning',
    put: '{ _id: id, ...restorable }, beginning',
    spec,
  },
  {
    breaks: 'answers of an erased chat keep their text',
    file: eraser,
    find: 'batch.flatMap(({ generationId }) => generationId ?? []),',
    put: '[],',
    spec,
  },
  {
    breaks: 'a batch of an erased chat takes any number of words',
    file: eraser,
    find: 'found.slice(0, fittingCount(found))',
    put: 'found',
    spec,
  },
  {
    breaks: 'a document is restored while it is being erased',
    file: documents,
    find: '{ _id: id, isDeleted: !isDeleted, ...notErasing }',
    put: '{ _id: id, isDeleted: !isDeleted }',
    spec: 'chat/src/documents/document-eraser.spec',
  },
  {
    breaks: 'a document is erased under its reader, whose passages stay',
    file: documents,
    find: '{ isErasing: true, $or: unheld }',
    put: '{ isErasing: true }',
    spec: 'chat/src/documents/document-eraser.spec',
  },
];

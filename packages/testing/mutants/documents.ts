import type { Mutant } from './mutant.ts';

const documents = 'services/chat/src/documents';

export const documentMutants: readonly Mutant[] = [
  {
    breaks: 'a document that ends processes is read for ever',
    file: `${documents}/documents.repository.ts`,
    find: 'leaseUntil: lease.until }, $inc: { version: 1, attempts: 1 } }',
    put: 'leaseUntil: lease.until }, $inc: { version: 1 } }',
    spec: 'chat/src/documents/document-reader.spec',
  },
  {
    breaks: 'a document is read a third time',
    file: `${documents}/document-reader.ts`,
    find: 'if (attemptsOf(row) > mostAttempts)',
    put: 'if (attemptsOf(row) > mostAttempts + 1)',
    spec: 'chat/src/documents/document-reader.spec',
  },
  {
    breaks: 'a reader that broke off once fails the document',
    file: `${documents}/document-reader.ts`,
    find: 'return mayPass && attemptsOf(row) < mostAttempts',
    put: 'return mayPass && attemptsOf(row) > mostAttempts',
    spec: 'chat/src/documents/document-reader.spec',
  },
  {
    breaks: 'the reader may open any file',
    file: `${documents}/reader/reader.ts`,
    find: '...ownCode().map((path) => `--allow-fs-read=${path}`),',
    put: "'--allow-fs-read=*',",
    spec: 'chat/src/documents/reader/reader.spec',
  },
  {
    breaks: 'a file that breaks off is read as if it were whole',
    file: `${documents}/reader/reader.ts`,
    find: ".catch(() => child.kill('SIGKILL'));",
    put: '.catch(() => undefined);',
    spec: 'chat/src/documents/reader/reader.spec',
  },
];

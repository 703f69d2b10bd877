import type { Mutant } from './mutant.ts';

const documents = 'services/chat/src/documents';

export const documentMutants: readonly Mutant[] = [
  {
    breaks: 'a document that ends processes is read for ever',
    file: `${documents}/documents.repository.ts`,
    find: '$inc: { version: 1, attempts: 1 }',
    put: '$inc: { version: 1 }',
    spec: 'chat/src/documents/document-reader.spec',
  },
  {
    breaks: 'a document is read however many processes it ends',
    file: `${documents}/document-reader.ts`,
    find: 'if (attemptsOf(row) > mostEndedProcesses)',
    put: 'if (attemptsOf(row) > mostEndedProcesses + 1)',
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
    find: ".catch(() => stop('reader-stopped'));",
    put: '.catch(() => undefined);',
    spec: 'chat/src/documents/reader/reader.spec',
  },
  {
    breaks: 'a file that swells fills the memory',
    file: `${documents}/reader/reader.ts`,
    find: '(bytes) => bytes > mostMemoryBytes &&',
    put: '(bytes) => bytes > 100 * mostMemoryBytes &&',
    spec: 'chat/src/documents/reader/reader.spec',
  },
  {
    breaks: 'an Office file may swell',
    file: `${documents}/reader/unpack.ts`,
    find: 'if (bytes > mostUnpackedBytes ||',
    put: 'if (bytes > 2 * mostUnpackedBytes ||',
    spec: 'chat/src/documents/reader/split-office.spec',
  },
  {
    breaks: 'a PDF that was cut off is read as if it were whole',
    file: `${documents}/reader/split-pdf.ts`,
    find: "includes('%%EOF')",
    put: "includes('')",
    spec: 'chat/src/documents/reader/split-pdf.spec',
  },
  {
    breaks: 'a passage runs on to the next page',
    file: `${documents}/reader/split-passages.ts`,
    find: 'place?.number === other.place?.number',
    put: 'true',
    spec: 'chat/src/documents/reader/split-pdf.spec',
  },
  {
    breaks: 'Arabic in a PDF is read from the left',
    file: `${documents}/reader/pdf-lines.ts`,
    find: 'isRtl ? seen.toReversed() : seen',
    put: 'seen',
    spec: 'chat/src/documents/reader/split-pdf.spec',
  },
  {
    breaks: 'slides come in the order of their files',
    file: `${documents}/reader/split-slides.ts`,
    find: 'targets.get(id)?.target ?? []',
    put: '[...targets.values()].map(({ target }) => target).toSorted()[Number(id.slice(3)) - 1] ?? []',
    spec: 'chat/src/documents/reader/split-office.spec',
  },
  {
    breaks: 'an empty file takes the place of a document',
    file: `${documents}/documents.service.ts`,
    find: 'if (isEmpty) throw',
    put: 'if (isEmpty && content === null) throw',
    spec: 'embedded/src/documents.spec',
  },
  {
    breaks: 'a newer version that cannot be read takes the earlier one out of the counts',
    file: `${documents}/document-reader.ts`,
    find: ": { status: 'failed', failure };",
    put: ": { status: 'failed', failure, passageCount: 0 };",
    spec: 'embedded/src/documents.spec',
  },
  {
    breaks: 'what was replaced while it was read is indexed',
    file: `${documents}/document-reader.ts`,
    find: 'if (!(await this.documents.isHeld(job.in(row.orgId), row)))',
    put: 'if (false as boolean)',
    spec: 'chat/src/documents/document-reader.spec',
  },
];

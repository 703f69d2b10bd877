// `npm run bench`: what the design promises, each figure beside its floor of the same run, its budget and the peers'
// figures.
// `-- --edition distributed` measures the seven processes on real Kafka and Redis instead of the one-process edition,
// `-- --long-use` what lies on the disk after many messages, and who waits for a long answer, `-- --readers` programs that
// follow event streams, `-- --retrieval` how well passages are found, with `--passages 99000` how long that takes among so
// many, `-- --vectors` what comparing vectors adds to that, `-- --documents` how long a PDF takes until it is searchable,
// `-- --files` how long a PDF and images take until a chat can be asked about them, and their memory,
// `-- --imports` how long 100,000 messages of an export take, and how long others wait meanwhile,
// `-- --search-keys --messages 1000000` how long old messages take to get the keys of search operators,
// `-- --holds` for how long a command holds the store while a document of 50,000 passages is deleted and restored,
// `-- --branches` how soon a long chat with 40 branches opens beside one without,
// `-- --unread` what 500 clients that never read add to its memory,
// `-- --flood` how long another organisation waits while one floods (both editions),
// `-- --against COMMIT` what this tree costs beside another commit, with `--only idle` only rows with that in their name.
import { runTurbo } from '@parley/tooling/run-turbo.mjs';
import { parseArgs } from 'node:util';
import { benchAgainst } from './against.ts';
import { benchBranches } from './branches.ts';
import { benchDistributed } from './distributed.ts';
import { benchDocuments } from './documents.ts';
import { benchEmbedded } from './embedded.ts';
import { benchFiles } from './files.ts';
import { benchImports } from './imports.ts';
import { benchFlood } from './flood.ts';
import { benchHolds } from './holds.ts';
import { benchLongUse } from './long-use.ts';
import { benchReaders } from './readers.ts';
import { benchRetrieval } from './retrieval/run.ts';
import { benchVectors } from './retrieval/vectors.ts';
import { benchSearchKeys } from './search-keys.ts';
import { benchUnread } from './unread.ts';

/** Measures and cleans up after itself, also when it is interrupted. */
type BenchEdition = (interruption: Promise<never>) => Promise<void>;
const editions: Readonly<Record<string, BenchEdition>> = { embedded: benchEmbedded, distributed: benchDistributed };

/** Exits with 2 at arguments that mean nothing. */
function chosenBench(): { readonly bench: BenchEdition; readonly mostMinutes: number } {
  try {
    const { values } = parseArgs({
      options: {
        edition: { type: 'string', default: 'embedded' },
        'long-use': { type: 'boolean', default: false },
        readers: { type: 'boolean', default: false },
        retrieval: { type: 'boolean', default: false },
        vectors: { type: 'boolean', default: false },
        documents: { type: 'boolean', default: false },
        files: { type: 'boolean', default: false },
        imports: { type: 'boolean', default: false },
        holds: { type: 'boolean', default: false },
        'search-keys': { type: 'boolean', default: false },
        unread: { type: 'boolean', default: false },
        branches: { type: 'boolean', default: false },
        flood: { type: 'boolean', default: false },
        against: { type: 'string' },
        only: { type: 'string', default: '' },
        passages: { type: 'string', default: '0' },
        messages: { type: 'string', default: '8000' },
      },
    });
    if (values.against) return { bench: benchAgainst(values.against, values.only), mostMinutes: 90 };
    if (values['long-use']) return { bench: benchLongUse(Number(values.messages)), mostMinutes: 60 };
    if (values.vectors) return { bench: benchVectors(Number(values.passages) || 10_000), mostMinutes: 20 };
    if (values.retrieval) return { bench: benchRetrieval(Number(values.passages)), mostMinutes: 40 };
    if (values.holds) return { bench: benchHolds(Number(values.passages) || 50_000), mostMinutes: 20 };
    if (values.branches) return { bench: benchBranches, mostMinutes: 6 };
    if (values.unread) return { bench: benchUnread, mostMinutes: 12 };
    if (values.documents) return { bench: benchDocuments, mostMinutes: 6 };
    if (values.files) return { bench: benchFiles, mostMinutes: 6 };
    if (values['search-keys']) return { bench: benchSearchKeys(Number(values.messages)), mostMinutes: 60 };
    if (values.imports) return { bench: benchImports, mostMinutes: 40 };
    if (values.readers) return { bench: benchReaders, mostMinutes: 6 };
    const bench = editions[values.edition];
    if (bench && values.flood) return { bench: benchFlood(values.edition), mostMinutes: 10 };
    if (bench) return { bench, mostMinutes: 6 };
    throw new Error(`There is no edition ${values.edition}: ${Object.keys(editions).join(', ')}.`);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(2);
  }
}

/** Rejects at a signal, at a failure that nobody waited for and when the whole takes too long. */
function interruptionOf(mostMs: number): Promise<never> {
  const interruption = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error(`The bench has taken longer than ${mostMs / 60_000} minutes.`)), mostMs);
    process.on('unhandledRejection', reject);
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`The bench was ended by ${signal}.`)));
  });
  interruption.catch(() => undefined);
  return interruption;
}

const { bench, mostMinutes } = chosenBench();
if (runTurbo('build') !== 0) process.exit(1);
try {
  await bench(interruptionOf(mostMinutes * 60_000));
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}

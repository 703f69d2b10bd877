import { describeOn } from '@parley/testing';
import { noBrowser } from './browser.ts';
import { distributedEdition } from './distributed-edition.ts';
import { defineMending } from './mending.ts';
import { startServers } from './two-of-each.ts';

describeOn(
  'a chatbot that is rated down and mended, on two of each process',
  noBrowser ?? (await startServers()),
  (servers) => defineMending(distributedEdition(servers)),
);

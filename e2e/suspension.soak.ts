import { describeOn } from '@parley/testing';
import { noBrowser } from './browser.ts';
import { distributedEdition } from './distributed-edition.ts';
import { defineSuspension } from './suspension.ts';
import { startServers } from './two-of-each.ts';

describeOn(
  'an organisation that is suspended, on two of each process',
  noBrowser ?? (await startServers()),
  (servers) => defineSuspension(distributedEdition(servers)),
);

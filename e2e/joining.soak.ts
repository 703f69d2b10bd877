import { describeOn } from '@parley/testing';
import { noBrowser } from './browser.ts';
import { distributedEdition } from './distributed-edition.ts';
import { defineJoining } from './joining.ts';
import { startServers } from './two-of-each.ts';

describeOn(
  'somebody who is invited, joins and is removed, on two of each process',
  noBrowser ?? (await startServers()),
  (servers) => defineJoining(distributedEdition(servers)),
);

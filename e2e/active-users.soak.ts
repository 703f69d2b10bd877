import { describeOn } from '@parley/testing';
import { defineActiveUsers } from './active-users.ts';
import { noBrowser } from './browser.ts';
import { distributedEdition } from './distributed-edition.ts';
import { startServers } from './two-of-each.ts';

describeOn(
  'an admin who watches who is active, on two of each process',
  noBrowser ?? (await startServers()),
  (servers) => defineActiveUsers(distributedEdition(servers)),
);

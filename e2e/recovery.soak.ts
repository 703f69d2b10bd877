import { describeOn } from '@parley/testing';
import { noBrowser } from './browser.ts';
import { distributedEdition } from './distributed-edition.ts';
import { defineRecovery } from './recovery.ts';
import { startServers } from './two-of-each.ts';

describeOn('somebody who forgot the password, on two of each process', noBrowser ?? (await startServers()), (servers) =>
  defineRecovery(distributedEdition(servers)),
);

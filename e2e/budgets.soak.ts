import { describeOn } from '@parley/testing';
import { defineBudgets } from './budgets.ts';
import { noBrowser } from './browser.ts';
import { distributedEdition } from './distributed-edition.ts';
import { startServers } from './two-of-each.ts';

describeOn(
  'a budget that is spent and raised, on two of each process',
  noBrowser ?? (await startServers()),
  (servers) => defineBudgets(distributedEdition(servers)),
);

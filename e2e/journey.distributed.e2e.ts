import { describeOn } from '@parley/testing';
import { noBrowser } from './browser.ts';
import { distributedEdition } from './distributed-edition.ts';
import { defineJourney } from './journey.ts';
import { startServers } from './two-of-each.ts';

describeOn('the journey on two of each process', noBrowser ?? (await startServers()), (servers) =>
  defineJourney(distributedEdition(servers)),
);

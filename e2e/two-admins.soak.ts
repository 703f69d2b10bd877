import { describeOn } from '@parley/testing';
import { noBrowser } from './browser.ts';
import { startServers } from './two-of-each.ts';
import { defineTwoAdmins } from './two-admins.ts';

describeOn(
  'two admins who watch the spend on two BFFs while processes and the broker are killed',
  noBrowser ?? (await startServers()),
  defineTwoAdmins,
);

import { describeOn } from '@parley/testing';
import { defineBudgetKills } from './budget-kills.ts';
import { startServers } from './two-of-each.ts';

describeOn('a budget while workers and billing are killed, on two of each process', await startServers(), (servers) =>
  defineBudgetKills(servers, [50, 500]),
);

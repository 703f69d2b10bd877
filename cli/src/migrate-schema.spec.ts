import { expect, test } from '@jest/globals';
import { joinInboxRows } from '@parley/platform/event-bus';
import { reactingOwners } from './letters.ts';
import { owners } from './migrate-schema.ts';

test.each(reactingOwners)('%s migrates the inbox rows of 0.3.0, so that it handles no earlier event twice', (owner) => {
  expect(owners[owner].dataMigrations).toContain(joinInboxRows);
});

import { describe } from '@jest/globals';
import { describeSkipped } from '@parley/testing';
import { defineActiveUsers } from './active-users.ts';
import { defineBudgets } from './budgets.ts';
import { noBrowser } from './browser.ts';
import { embeddedEdition } from './embedded-edition.ts';
import { defineJoining } from './joining.ts';
import { defineMending } from './mending.ts';
import { defineRecovery } from './recovery.ts';
import { defineSuspension } from './suspension.ts';

const name = 'people on the one-process edition';
if (noBrowser) describeSkipped(name, noBrowser);
else
  describe(name, () => {
    describe('somebody who is invited, joins and is removed', () => defineJoining(embeddedEdition));
    describe('an admin who watches who is active', () => defineActiveUsers(embeddedEdition));
    describe('somebody who forgot the password', () => defineRecovery(embeddedEdition));
    describe('a budget that is spent and raised', () => defineBudgets(embeddedEdition));
    describe('a chatbot that is rated down and mended', () => defineMending(embeddedEdition));
    describe('an organisation that is suspended', () => defineSuspension(embeddedEdition));
  });

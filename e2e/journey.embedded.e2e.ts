import { describe } from '@jest/globals';
import { describeSkipped } from '@parley/testing';
import { noBrowser } from './browser.ts';
import { embeddedEdition } from './embedded-edition.ts';
import { defineJourney } from './journey.ts';

const name = 'the journey in the one-process edition';
if (noBrowser) describeSkipped(name, noBrowser);
else describe(name, () => defineJourney(embeddedEdition));

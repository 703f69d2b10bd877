import { expect, test } from '@jest/globals';
import { referencePages } from './reference-pages.spec-setup.ts';

test.each(referencePages())('$path says what the code says; otherwise run npm run docs:reference', ({ kept, made }) => {
  expect(kept).toBe(made);
});

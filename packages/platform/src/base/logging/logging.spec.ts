import { expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { createLogger, logFile } from './logging.ts';

const withFullDevice = existsSync('/dev/full') ? test : test.skip;

withFullDevice('what cannot be written ends nothing', async () => {
  const logger = createLogger({ name: 'test', destination: logFile('/dev/full') });
  for (let line = 0; line < 2_000; line += 1) logger.info({ line, text: 'x'.repeat(1_000) }, 'nobody can read this');
  await new Promise((resolve) => setImmediate(resolve));
  expect(logger.isLevelEnabled('info')).toBe(true);
});

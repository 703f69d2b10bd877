// Keeps what parts of Parley send to each other in this version, for the next one to be held against: `npm run contracts:release`.
import { readFileSync, writeFileSync } from 'node:fs';
import { releaseOf } from './releases.spec-setup.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
writeFileSync(new URL(`../releases/${version}.json`, import.meta.url), `${JSON.stringify(releaseOf(version))}\n`);

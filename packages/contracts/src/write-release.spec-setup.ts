// Writes the contracts between parts of Parley in this version, with which the next version is compared, and removes
// earlier releases: `npm run contracts:release`.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { releaseOf } from './releases.spec-setup.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const folder = new URL('../releases/', import.meta.url);
for (const earlier of readdirSync(folder)) rmSync(new URL(earlier, folder));
writeFileSync(new URL(`${version}.json`, folder), `${JSON.stringify(releaseOf(version))}\n`);

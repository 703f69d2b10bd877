import { writeJobsPart } from './declared-jobs.spec-setup.ts';

await writeJobsPart();

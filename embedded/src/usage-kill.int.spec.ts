import { testKilledUsage } from './usage-kill.spec-setup.ts';

testKilledUsage(5_000, 7);

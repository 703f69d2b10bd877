import { testKilledUsage } from './usage-kill.spec-setup.ts';

testKilledUsage(1_000, 2);

import { testKilledUsage } from './usage-kill.spec-setup.ts';

testKilledUsage(50_000, 40);

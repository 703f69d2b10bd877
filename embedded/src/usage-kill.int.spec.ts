import { testKilledUsage } from './usage-kill.spec-setup.ts';

testKilledUsage(2_500, 4);

import { testKilledBudget } from './budget-kill.spec-setup.ts';

testKilledBudget(500);

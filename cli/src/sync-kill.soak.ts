import { testKilledSyncs } from './sync-kill.spec-setup.ts';

testKilledSyncs({ documents: 150, kills: 40 });

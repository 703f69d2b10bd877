import { testKilledSyncs } from './sync-kill.spec-setup.ts';

testKilledSyncs({ documents: 20, kills: 2 });

import type { Mutant } from './mutant.ts';

const presence = 'services/monitoring/src/presence';
const members = 'services/org/src/members';

/** Who is active, and access that is ended. */
export const presenceMutants: readonly Mutant[] = [
  {
    breaks: 'the people of a BFF that died stay',
    file: `${presence}/presence.service.ts`,
    find: '.find({ until: { $gt: now } })',
    put: '.find({})',
    spec: 'monitoring/src/presence/presence.spec',
  },
  {
    breaks: 'nobody is ever idle',
    file: `${presence}/presence.ts`,
    find: 'actedAt && now.getTime() - actedAt.getTime() < idleAfterMs',
    put: 'actedAt',
    spec: 'monitoring/src/presence/presence.spec',
  },
  {
    breaks: 'a session at two BFFs counts twice',
    file: `${presence}/presence.ts`,
    find: 'sessions.filter(({ key }) => !known.some((session) => session.key === key))',
    put: 'sessions',
    spec: 'monitoring/src/presence/presence.spec',
  },
  {
    breaks: 'reading is an action: whoever watches is never idle',
    file: 'bff/src/proxy/api-gate.ts',
    find: 'if (isChange(route.method) && principal.organisation)',
    put: 'if (principal.organisation)',
    spec: 'bff/src/proxy/api-gate.spec',
  },
  {
    breaks: 'a session of before goes on where the access was ended',
    file: 'bff/src/session/principals.ts',
    find: 'signedInAt <= accessEnd.at',
    put: 'signedInAt > accessEnd.at',
    spec: 'bff/src/session/principals.spec',
  },
  {
    breaks: 'answers go on that were asked for before the access was ended',
    file: 'services/chat/src/generations/may-still-ask.ts',
    find: 'queuedAt <= new Date(end.at)',
    put: 'queuedAt < new Date(0)',
    spec: 'chat/src/generations/generation-worker.spec',
  },
  {
    breaks: 'ending access twice ends what began since',
    file: `${members}/member-acts.ts`,
    find: 'if (row.accessEnd?.id === id) return;',
    put: '',
    spec: 'org/src/members/many-members.spec',
  },
  {
    breaks: 'what is only tried is done',
    file: `${members}/many-members.service.ts`,
    find: 'if (body.isPreview) throw new OnlyTried();',
    put: '',
    spec: 'org/src/members/many-members.spec',
  },
  {
    breaks: 'one changes oneself among many',
    file: `${members}/many-members.service.ts`,
    find: "if (person.userId === principal.userId) return 'org.not-oneself';",
    put: '',
    spec: 'org/src/members/many-members.spec',
  },
];

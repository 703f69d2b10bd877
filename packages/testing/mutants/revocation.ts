import type { Mutant } from './mutant.ts';

const revocations = 'packages/platform/src/revocations';
const bff = 'bff/src';

export const revocationMutants: readonly Mutant[] = [
  {
    breaks: 'a revoked session counts',
    file: `${revocations}/revocations.ts`,
    find: 'this.voids.has(`session ${principal.sessionKey}`) || ',
    put: '',
    spec: 'platform/src/revocations/revocations.spec',
  },
  {
    breaks: 'who left an organisation stays',
    file: `${revocations}/revocations.ts`,
    find: 'if (membership && (rightsVersion === null || organisation.rightsVersion < (rightsVersion ?? 0))) return true;',
    put: 'if (membership && rightsVersion !== null && organisation.rightsVersion < (rightsVersion ?? 0)) return true;',
    spec: 'platform/src/revocations/revocations.spec',
  },
  {
    breaks: 'rights that are current are revoked',
    file: `${revocations}/revocations.ts`,
    find: 'organisation.rightsVersion < (rightsVersion ?? 0)',
    put: 'organisation.rightsVersion <= (rightsVersion ?? 0)',
    spec: 'platform/src/revocations/revocations.spec',
  },
  {
    breaks: 'who cannot be asked about is let through',
    file: `${revocations}/revocations.ts`,
    find: `if (!this.isFresh(askedAt))
      throw`,
    put: `if (!this.known)
      throw`,
    spec: 'platform/src/revocations/revocations.spec',
  },
  {
    breaks: 'one owner that answers is enough',
    file: `${revocations}/revocations.ts`,
    find: 'Math.min(...owners',
    put: 'Math.max(...owners',
    spec: 'platform/src/revocations/revocations.spec',
  },
  {
    breaks: 'news is fresh for longer than a second',
    file: `${revocations}/revocations.ts`,
    find: 'const freshForMs = 1_000;',
    put: 'const freshForMs = 3_000;',
    spec: 'platform/src/revocations/revocations.spec',
  },
  {
    breaks: 'what was told before is told again',
    file: `${revocations}/revocations.ts`,
    find: 'if (revocation.sequence > known) this.apply',
    put: 'if (revocation.sequence > 0) this.apply',
    spec: 'platform/src/revocations/revocations.spec',
  },
  {
    breaks: 'an answer that comes late takes the feed back',
    file: `${revocations}/revocations.ts`,
    find: 'Math.max(known, cursor)',
    put: 'cursor',
    spec: 'platform/src/revocations/revocations.spec',
  },
  {
    breaks: 'a revocation is recorded beside its transaction',
    file: `${revocations}/revocation-log.ts`,
    find: `{ session: tx.session });
  }`,
    put: `{});
  }`,
    spec: 'testing/src/revocation-log.spec',
  },
  {
    breaks: 'a revocation is numbered beside its transaction',
    file: `${revocations}/revocation-log.ts`,
    find: "returnDocument: 'after', session: tx.session }",
    put: "returnDocument: 'after' }",
    spec: 'testing/src/revocation-log.spec',
  },
  {
    breaks: 'the last one that was told is told again',
    file: `${revocations}/revocation-log.ts`,
    find: '{ _id: { $gt: after } }',
    put: '{ _id: { $gte: after } }',
    spec: 'testing/src/revocation-log.spec',
  },
  {
    breaks: 'who asks for the first time hears everything',
    file: `${revocations}/revocation-log.ts`,
    find: 'return { items: [], cursor: counter?.value ?? 0 };',
    put: 'return { items: [], cursor: 0 };',
    spec: 'testing/src/revocation-log.spec',
  },
  {
    breaks: 'a page of revocations says that it was all',
    file: `${revocations}/revocation-log.ts`,
    find: 'items.at(-1)?.sequence ?? after',
    put: 'after',
    spec: 'testing/src/revocation-log.spec',
  },
  {
    breaks: 'what is held back is sent',
    file: `${bff}/realtime/live-gate.ts`,
    find: 'if (this.held.length === 0 && this.feed.isFresh()) return send();',
    put: 'if (this.held.length === 0) return send();',
    spec: `${bff}/realtime/live-gate.spec`,
  },
  {
    breaks: 'what comes later overtakes what is held',
    file: `${bff}/realtime/live-gate.ts`,
    find: 'if (this.held.length === 0 && this.feed.isFresh()) return send();',
    put: 'if (this.feed.isFresh()) return send();',
    spec: `${bff}/realtime/live-gate.spec`,
  },
  {
    breaks: 'sockets stay open however long nobody tells',
    file: `${bff}/realtime/live-gate.ts`,
    find: 'if (this.silentLooks >= mostLooks) this.giveUp();',
    put: '',
    spec: `${bff}/realtime/live-gate.spec`,
  },
  {
    breaks: 'what is held grows without end',
    file: `${bff}/realtime/live-gate.ts`,
    find: 'if (this.held.length > mostHeld) this.giveUp();',
    put: '',
    spec: `${bff}/realtime/live-gate.spec`,
  },
  {
    breaks: 'a revocation leaves sessions in the cache',
    file: `${bff}/session/principals.ts`,
    find: `      this.sessions.clear();
`,
    put: '',
    spec: `${bff}/session/principals.spec`,
  },
  {
    breaks: 'a revocation leaves memberships in the cache',
    file: `${bff}/session/principals.ts`,
    find: `      this.memberships.clear();
`,
    put: '',
    spec: `${bff}/session/principals.spec`,
  },
  {
    breaks: 'a principal of the cache is not checked',
    file: `${bff}/session/principals.ts`,
    find: 'await this.platform.revocations.check(principal);',
    put: '',
    spec: `${bff}/session/principals.spec`,
  },
  {
    breaks: 'memberships are known by organisation',
    file: `${bff}/session/principals.ts`,
    find: '`${orgId}/${userId}`, async',
    put: '`${orgId}`, async',
    spec: `${bff}/session/principals.spec`,
  },
  {
    breaks: 'a token is the same for all organisations',
    file: `${bff}/session/principals.ts`,
    find: `      organisation?.orgId,
`,
    put: '',
    spec: `${bff}/session/principals.spec`,
  },
  {
    breaks: 'a token is the same for all services',
    file: `${bff}/session/principals.ts`,
    find: `      audience,
      principal`,
    put: '      principal',
    spec: `${bff}/session/principals.spec`,
  },
  {
    breaks: 'an outage of auth signs everybody out',
    file: `${bff}/session/principals.ts`,
    find: 'if (error instanceof Problem && error.code === code) return null;',
    put: 'if (error instanceof Problem) return null;',
    spec: `${bff}/session/principals.spec`,
  },
  {
    breaks: 'a revoked socket stays open',
    file: `${bff}/realtime/sockets.ts`,
    find: 'if (feed.isRevoked(socket.data.principal)) this.cut(socket);',
    put: ';',
    spec: `${bff}/realtime/sockets.spec`,
  },
  {
    breaks: 'one revocation cuts everybody',
    file: `${bff}/realtime/sockets.ts`,
    find: 'if (feed.isRevoked(socket.data.principal)) this.cut(socket);',
    put: 'this.cut(socket);',
    spec: `${bff}/realtime/sockets.spec`,
  },
  {
    breaks: 'answers of who lost access go on',
    file: 'services/chat/src/generations/generation-worker.ts',
    find: 'membership: `${orgId}/${userId}`',
    put: 'membership: orgId',
    spec: 'chat/src/generations/generation-worker.spec',
  },
];

import type { Mutant } from './mutant.ts';

const keys = 'services/auth/src/api-keys';
const inAuth = 'auth/src/api-keys/api-keys.spec';
const bff = 'bff/src/session/key-principals';

export const apiKeyMutants: readonly Mutant[] = [
  {
    breaks: 'a key does what its owner may not any more',
    file: `${bff}.ts`,
    find: 'organisation.permissions.filter(',
    put: 'key.permissions.filter(',
    spec: `${bff}.spec`,
  },
  {
    breaks: 'a key does all that its owner may',
    file: `${bff}.ts`,
    find: 'key.permissions.includes(permission) && ',
    put: '',
    spec: `${bff}.spec`,
  },
  {
    breaks: 'a key does what no key may',
    file: `${bff}.ts`,
    find: ' && keyPermissions.includes(permission)',
    put: '',
    spec: `${bff}.spec`,
  },
  {
    breaks: 'a key that is known outlives its end',
    file: `${bff}.ts`,
    find: "if (Date.parse(holder.endsAt) <= Date.now()) throw keyInvalid('It has expired.');",
    put: '',
    spec: `${bff}.spec`,
  },
  {
    breaks: 'a revoked key stays known',
    file: `${bff}.ts`,
    find: 'platform.revocations.onRevoked(() => this.holders.clear());',
    put: '',
    spec: `${bff}.spec`,
  },
  {
    breaks: 'keys are guessed without end',
    file: `${bff}.ts`,
    find: 'if (count >= mostWrongKeys)',
    put: 'if (count < 0)',
    spec: `${bff}.spec`,
  },
  {
    breaks: 'a key reaches the account of its owner',
    file: 'packages/contracts/src/http/key-access.ts',
    find: "route.scope === 'organisation' && keyPermissions.includes(route.permission)",
    put: "route.scope !== 'organisation' || keyPermissions.includes(route.permission)",
    spec: 'contracts/src/http/key-access.spec',
  },
  {
    breaks: 'a key opens what is closed to keys',
    file: 'bff/src/proxy/api-gate.ts',
    find: 'if (!isOpenToKeys(route))',
    put: 'if (false)',
    spec: 'bff/src/proxy/api-gate.spec',
  },
  {
    breaks: 'a key works in another organisation',
    file: 'bff/src/proxy/api-gate.ts',
    find: 'if (named !== null && named !== principal.organisation.orgId)',
    put: 'if (false)',
    spec: 'bff/src/proxy/api-gate.spec',
  },
  {
    breaks: 'the store holds keys themselves',
    file: `${keys}/api-keys.repository.ts`,
    find: 'const kept = { secretHash: hashSecret(secret),',
    put: 'const kept = { secretHash: secret,',
    spec: inAuth,
  },
  {
    breaks: 'a key gets rights that its maker does not have',
    file: `${keys}/own-api-keys.service.ts`,
    find: 'checkWithin(body.permissions, organisation.permissions);',
    put: '',
    spec: inAuth,
  },
  {
    breaks: 'a revoked key opens what it did',
    file: `${keys}/api-keys.service.ts`,
    find: 'if (!isAlive(key, now))',
    put: 'if (false)',
    spec: inAuth,
  },
  {
    breaks: 'what was let in by a key stays in',
    file: `${keys}/api-keys.repository.ts`,
    find: "await this.revocations.record(tx, { kind: 'session', subject: _id, rightsVersion: null });",
    put: '',
    spec: inAuth,
  },
  {
    breaks: "somebody else's key is one's own",
    file: `${keys}/own-api-keys.service.ts`,
    find: "if (key?.userId !== principal.userId) throw new Problem('platform.not-found');",
    put: "if (!key) throw new Problem('platform.not-found');",
    spec: inAuth,
  },
  {
    breaks: "somebody else's usage counts as one's own",
    file: 'services/billing/src/ledger/ledger.service.ts',
    find: '{ userId: principal.userId, at: { $gte: from, $lt: to } }',
    put: '{ at: { $gte: from, $lt: to } }',
    spec: 'billing/src/ledger/ledger.spec',
  },
  {
    breaks: 'a day begins where the server stands',
    file: 'services/billing/src/ledger/usage.ts',
    find: '{ timeZone: zone, ',
    put: '{ ',
    spec: 'billing/src/ledger/usage.spec',
  },
];

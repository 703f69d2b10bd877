import { expect, test } from '@jest/globals';
import { idsWith, orgId } from './ids.ts';

const { idOf, clientIdOf } = idsWith({ note: 'not' });
const ulid = '01JA0000000000000000000000';

test('an id has the prefix of its kind', () => {
  expect(idOf('note').safeParse(`not_${ulid}`).success).toBe(true);
  expect(idOf('note').safeParse(`org_${ulid}`).success).toBe(false);
  expect(orgId.safeParse(`org_${ulid}`).success).toBe(true);
});

test('a client’s id has a time near ours, unlike most derived ids', () => {
  expect(clientIdOf('note').safeParse(`not_${ulid}`).success).toBe(true);
  const derived = `not_7${ulid.slice(1)}`;
  expect([idOf('note').safeParse(derived).success, clientIdOf('note').safeParse(derived).success]).toEqual([
    true,
    false,
  ]);
});

import { describe, expect, test } from '@jest/globals';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { isTooCommon } from './password.ts';

describe('isTooCommon', () => {
  test.each([
    'passwordpassword',
    'PasswordPassword',
    'aaaaaaaaaaaa',
    'abababababab',
    'noor.halvani@example.com',
    'noor.halvani1',
  ])('refuses %s', (password) => {
    expect(isTooCommon(password, 'noor.halvani@example.com')).toBe(true);
  });
  test.each(['three quiet herons', 'V9!kdl2mPq0z', 'مرحبا بالعالم الكبير'])('accepts %s', (password) => {
    expect(isTooCommon(password, 'noor.halvani@example.com')).toBe(false);
  });
});

describe('password hash', () => {
  test('verifies the right password only, and no two hashes are alike', async () => {
    const [first, second] = await Promise.all([hashPassword('three quiet herons'), hashPassword('three quiet herons')]);
    expect(first).not.toBe(second);
    expect(await verifyPassword('three quiet herons', first)).toBe(true);
    expect(await verifyPassword('three quiet heron', first)).toBe(false);
    expect(await verifyPassword('three quiet herons', null)).toBe(false);
  });

  test('a tampered hash is refused, not an exception that lets somebody in', async () => {
    expect(await verifyPassword('x', 'argon2id$broken')).toBe(false);
  });
});

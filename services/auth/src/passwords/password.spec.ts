import { describe, expect, test } from '@jest/globals';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { isTooCommon } from './password.ts';

const noor = { name: 'Noor Halvani', email: 'noor.halvani@example.com', organisation: 'Lindmoor Energy' };

describe('isTooCommon', () => {
  test.each([
    'passwordpassword',
    'PasswordPassword',
    'aaaaaaaaaaaa',
    'abababababab',
    'noor.halvani@example.com',
    'noor.halvani1',
    'NoorHalvani12',
    'parleyparley',
    'password1234',
    'P@ssw0rd1234',
    'qwertyuiop123',
    'zaq12wsxcde3',
    'changemechangeme',
    'trustno1trustno1',
    'correcthorsebatterystaple',
    'CorrectHorseBatteryStaple',
    '123456789012',
    'administrator',
    'football1234',
    'November2026!!',
    'N0vember-2026!',
    '!!2026Frühling2026',
    'Dienstag#4711#',
    'Lindmoor2026!#',
    'Lindmoor-Energy-1984',
    'LindmoorEnergy!7',
    'Parley!#2026!#',
    'نوفمبر20262026',
  ])('refuses %s', async (password) => {
    expect(await isTooCommon(password, noor)).toBe(true);
  });
  test.each([
    'three quiet herons',
    'V9!kdl2mPq0z',
    'november storks 81 quiet',
    '7302 4819 5560',
    'مرحبا بالعالم الكبير',
  ])('accepts %s', async (password) => {
    expect(await isTooCommon(password, noor)).toBe(false);
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

import { expect, test } from '@jest/globals';
import { emailAddress, timeZone } from './people.ts';

test.each([
  [' Ines@Lindmoor.Example ', 'ines@lindmoor.example'],
  ["o'hara+parley@lindmoor.example", "o'hara+parley@lindmoor.example"],
  ['ines@lindmoor.example\r\n', 'ines@lindmoor.example'],
])('stores an email address: %j', (given, kept) => {
  expect(emailAddress.parse(given)).toBe(kept);
});

test.each([
  'ines@lindmoor.example\r\nBcc: other@x.example',
  'ines@lindmoor.example\u2028other@x.example',
  'ines@lindmoor.example, other@x.example',
  'Ines <ines@lindmoor.example>',
  'ünes@lindmoor.example',
  'ines@lindmöor.example',
  'ines\u202e@lindmoor.example',
  'ines@@lindmoor.example',
  `${'a'.repeat(250)}@x.example`,
  '',
])('refuses an email address: %j', (given) => {
  expect(emailAddress.safeParse(given).success).toBe(false);
});

test.each([
  ['Europe/Oslo', true],
  ['UTC', true],
  ['Europe/Nowhere', false],
  ['+01:00', false],
  ['', false],
  ['A'.repeat(65), false],
])('%p is a valid time zone: %p', (name, isOne) => {
  expect(timeZone.safeParse(name).success).toBe(isOne);
});

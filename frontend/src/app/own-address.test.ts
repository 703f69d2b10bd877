import { expect, test } from '@jest/globals';
import { ownAddress } from './own-address.ts';

test.each(['/en/chat/cnv_1?org=acme#end', '/ar', '/'])('%s is ours', (next) => expect(ownAddress(next)).toBe(next));

test.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/%2e//evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'evil',
  '',
  null,
])('%j is none of ours', (next) => expect(ownAddress(next)).toBeNull());

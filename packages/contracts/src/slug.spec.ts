import { describe, expect, test } from '@jest/globals';
import { organisationSlug } from './services/org/org.ts';
import { slugFrom } from './slug.ts';

describe('slugFrom', () => {
  test.each([
    ['Lindmoor Energy', 'lindmoor-energy'],
    ['Für Außergewöhnliches GmbH', 'fuer-aussergewoehnliches'],
    ['Fu\u0308r alle', 'fuer-alle'],
    ['  Café & Söhne  ', 'cafe-soehne'],
    ['ÄRZTE', 'aerzte'],
    ['Łódź Ærø', 'lodz-aero'],
    ['ＶＰＮ ①', 'vpn-1'],
    ['x'.repeat(80), 'x'.repeat(24)],
    [`${'a'.repeat(23)} b`, 'a'.repeat(23)],
    [`${'a'.repeat(24)} b`, 'a'.repeat(24)],
    [`${'a'.repeat(22)} b c`, `${'a'.repeat(22)}-b`],
    ['Stadtwerke Bad Neustadt an der Saale', 'stadtwerke-bad-neustadt'],
  ])('turns the name %s into the slug %s', (name, slug) => {
    expect(slugFrom(name)).toBe(slug);
    expect(organisationSlug.safeParse(slug).success).toBe(true);
  });

  test.each(['شركة', '公司', 'Ж', '😀', '  '])('returns an empty slug for %s, which has no Latin letter', (name) => {
    expect(slugFrom(name)).toBe('');
  });
});

import { describe, expect, it } from '@jest/globals';
import type { ModelKey } from '@parley/contracts';
import { imageRefusalOf, imageSupportOf, isImageName, namedByTime } from './images.ts';

describe('images', () => {
  it('are recognised by the ending of their name, in any case', () => {
    expect(['a.PNG', 'b.c.jpeg', 'd.avif'].every(isImageName)).toBe(true);
    expect(['a.svg', 'b.heic', 'png', 'c.png.pdf'].some(isImageName)).toBe(false);
  });

  it('are refused if they are of another kind, HEIC with its own text', () => {
    const refusals = ['a.HEIC', 'a.heif', 'a.svg', 'a.bmp', 'a.zip', 'a.png'].map((name) =>
      imageRefusalOf({ name, type: name === 'a.bmp' ? 'image/bmp' : '' }),
    );
    expect(refusals).toEqual(['heic', 'heic', 'image', 'image', undefined, undefined]);
  });

  it('are named by the minute if they are pasted without a name', () => {
    const now = new Date(2026, 10, 27, 9, 5);
    const named = namedByTime(new File(['x'], 'image.png', { type: 'image/png' }), 'Screenshot', now);
    expect([named.name, named.type, named.size]).toEqual(['Screenshot 2026-11-27 09.05.png', 'image/png', 1]);
    const photo = new File(['x'], 'photo.png');
    expect(namedByTime(photo, 'Screenshot', now)).toBe(photo);
  });
});

it('aren’t known to be supported by an unknown model, and never are by the built-in assistant', () => {
  const key = 'prv_1/a' as ModelKey;
  expect(imageSupportOf({ key })).toBe('unknown');
  expect(imageSupportOf(null)).toBe('unknown');
  expect(imageSupportOf({ key, images: null })).toBe('no');
  expect(imageSupportOf({ key: 'builtin' as ModelKey })).toBe('no');
  expect(imageSupportOf({ key, images: { accepts: 'yes' } })).toBe('yes');
});

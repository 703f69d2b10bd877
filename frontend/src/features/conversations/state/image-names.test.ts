import { describe, expect, it } from '@jest/globals';
import type { ModelKey } from '@parley/contracts';
import { imageRefusalOf, imageSupportOf, isImageName, namedByTime } from './images.ts';

describe('file names of images', () => {
  it('recognises images by the extension of their name, in any case', () => {
    expect(['a.PNG', 'b.c.jpeg', 'd.avif'].every(isImageName)).toBe(true);
    expect(['a.svg', 'b.heic', 'png', 'c.png.pdf'].some(isImageName)).toBe(false);
  });

  it('refuses other kinds of images, HEIC with its own text', () => {
    const refusals = ['a.HEIC', 'a.heif', 'a.svg', 'a.bmp', 'a.zip', 'a.png'].map((name) =>
      imageRefusalOf({ name, type: name === 'a.bmp' ? 'image/bmp' : '' }),
    );
    expect(refusals).toEqual(['heic', 'heic', 'image', 'image', undefined, undefined]);
  });

  it('names images by the minute if they are pasted without a name', () => {
    const now = new Date(2026, 10, 27, 9, 5);
    const named = namedByTime(new File(['x'], 'image.png', { type: 'image/png' }), 'Screenshot', now);
    expect([named.name, named.type, named.size]).toEqual(['Screenshot 2026-11-27 09.05.png', 'image/png', 1]);
    const photo = new File(['x'], 'photo.png');
    expect(namedByTime(photo, 'Screenshot', now)).toBe(photo);
  });
});

it('treats image support of an unknown model as unknown, and of the built-in assistant as missing', () => {
  const key = 'prv_1/a' as ModelKey;
  expect(imageSupportOf({ key })).toBe('unknown');
  expect(imageSupportOf(null)).toBe('unknown');
  expect(imageSupportOf({ key, images: null })).toBe('no');
  expect(imageSupportOf({ key: 'builtin' as ModelKey })).toBe('no');
  expect(imageSupportOf({ key, images: { accepts: 'yes' } })).toBe('yes');
});

import type { Model } from '@parley/contracts';
import { imageEndings } from '@parley/contracts/names';

type ImageSupport = NonNullable<Model['images']>['accepts'];

const endingOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/** Returns whether a file with this name can be used as an image. */
export const isImageName = (name: string): boolean =>
  /\.\w+$/.test(name) && Object.hasOwn(imageEndings, endingOf(name));

const isHeicName = (name: string): boolean => ['heic', 'heif', 'hif'].includes(endingOf(name));

/** Returns why an image can't be used; undefined if it can, or if the file isn't an image. */
export function imageRefusalOf({ name, type }: Pick<File, 'name' | 'type'>): 'heic' | 'image' | undefined {
  if (isImageName(name)) return undefined;
  if (isHeicName(name)) return 'heic';
  return type.startsWith('image/') || endingOf(name) === 'svg' ? 'image' : undefined;
}

/** Returns whether a model sees images; servers of 0.2.0 don't say, so it is unknown. */
export const imageSupportOf = (model: Pick<Model, 'images' | 'key'> | null): ImageSupport =>
  model?.key === 'builtin' || model?.images === null ? 'no' : (model?.images?.accepts ?? 'unknown');

const pastedName = /^image\.(\w+)$/;

/** Names a pasted image by the time of pasting, because browsers give all of them the same name. */
export function namedByTime(file: File, word: string, now: Date): File {
  const ending = pastedName.exec(file.name)?.[1];
  if (ending === undefined) return file;
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  const time = [now.getHours(), now.getMinutes()].map(two).join('.');
  return new File([file], `${word} ${day} ${time}.${ending}`, { type: file.type });
}

import { withoutInvisible } from '@parley/contracts';

/** File systems take 255 bytes; an archive is unpacked below a folder, so some are left for paths. */
const mostBytes = 150;
/** Names of devices on Windows, whatever their ending. */
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;
const ending = /\.[A-Za-z0-9]{1,8}$/;

/**
 * Returns the name as Windows, macOS and Linux take it for a file: one segment of a path that is no device, without
 * signs that any of them refuses, at most 150 bytes long with its ending kept. `otherwise` where nothing is left.
 */
export function safeName(name: string, otherwise: string): string {
  const plain = trimmed(
    withoutInvisible(name)
      .normalize('NFC')
      .replaceAll(/[<>:"/\\|?*\p{Cc}]+/gu, ' '),
  );
  const kept = ending.exec(plain)?.[0] ?? '';
  const base = trimmed(cut(plain.slice(0, plain.length - kept.length), mostBytes - kept.length));
  const whole = base === '' ? kept.slice(1) : base + kept;
  return whole === '' ? otherwise : whole.replace(reserved, '_$&');
}

/** Windows drops dots and spaces at the end; a dot at the start hides a file, and `..` is another folder. */
const trimmed = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(/^[. ]+|[. ]+$/g, '');

/** As much of the text as has room, whole characters only. */
function cut(text: string, most: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    end += character.length;
  }
  return text.slice(0, end);
}

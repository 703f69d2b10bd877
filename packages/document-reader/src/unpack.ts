// Runs inside the reader process: no decorators or parameter properties here, Node strips the types itself.
import { unzipSync, zipSync } from 'fflate/browser';
import { Unreadable } from './unreadable.ts';

/** All parts of a file together, unpacked; the text of a book of a thousand pages takes some 10 MB. */
export const mostUnpackedBytes = 100_000_000;
const mostParts = 10_000;
const zipSignature = [0x50, 0x4b, 0x03, 0x04];
/** Of the container in which Office keeps a file with a password. */
const sealedSignature = [0xd0, 0xcf, 0x11, 0xe0];
const startsWith = (content: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, at) => content[at] === byte);

/** Parts of an Office file by their paths. */
export type Parts = Readonly<Record<string, Uint8Array>>;

/**
 * The parts of an Office file that hold its text. No more is unpacked than the file's own list says, and it is refused
 * when that is too much: what is longer than its list says is cut there.
 */
export function unpack(content: Uint8Array): Parts {
  if (startsWith(content, sealedSignature)) throw new Unreadable('encrypted');
  if (!startsWith(content, zipSignature)) throw new Unreadable('damaged');
  let bytes = 0;
  let count = 0;
  const filter = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
    if (!/\.(xml|rels)$/i.test(name)) return false;
    count += 1;
    bytes += originalSize;
    if (bytes > mostUnpackedBytes || count > mostParts) throw new Unreadable('unpacks-too-large');
    return true;
  };
  try {
    return unzipSync(content, { filter });
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable('damaged');
  }
}

/** The same file of these parts only, not packed: for a library that would unpack whatever it is given. */
export function packed(parts: Parts): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = zipSync({ ...parts }, { level: 0 });
  return (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength);
}

const startOfImage = 0xffd8;
/** C4, C8 and CC lie among the markers of frames and are none. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Width and height of a JPEG by its header; null of anything else. */
export function jpegSize(bytes: Buffer): { readonly width: number; readonly height: number } | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== startOfImage) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (!isFrame(bytes[at + 1]!)) continue;
    const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
    return width > 0 && height > 0 ? { width, height } : null;
  }
  return null;
}

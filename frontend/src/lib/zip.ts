const polynomial = 0xedb88320;
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? polynomial ^ (sum >>> 1) : sum >>> 1;
  return sum;
});

/** Returns the CRC-32 that ZIP and PNG use. */
function checksumOf(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return ~sum >>> 0;
}

type Entry = { readonly name: string; readonly bytes: Uint8Array };

/** Sizes and places of what is in a ZIP, by the field widths of the format. */
function fields(...values: readonly (readonly [bytes: 2 | 4, value: number])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of values) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

/** Names are UTF-8. */
const flags = 0x0800;
const version = 20;
/** 1 January 1980: the format's first day, for the archive says elsewhere when it was made. */
const [time, day] = [0, 0x21];

/** Packs files into a ZIP without compressing them, below 4 GB. */
export function zipOf(entries: readonly Entry[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let place = 0;
  for (const { name, bytes } of entries) {
    const path = new TextEncoder().encode(name);
    const { length } = bytes;
    const about = [
      [2, version],
      [2, flags],
      [2, 0],
      [2, time],
      [2, day],
      [4, checksumOf(bytes)],
      [4, length],
      [4, length],
      [2, path.length],
      [2, 0],
    ] as const;
    const head = fields([4, 0x04034b50], ...about);
    parts.push(head, path, bytes);
    directory.push(fields([4, 0x02014b50], [2, version], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, place]), path);
    place += head.length + path.length + length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = entries.length;
  const end = fields([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, place], [2, 0]);
  return joined([...parts, ...directory, end]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A numbered BSON document; an answer has the number of its command. */
export type Numbered = { readonly number: number; readonly document: Uint8Array };

const numberBytes = 4;

/** Packs documents into bytes of their own, so that a port can transfer them without a copy. */
export function pack(all: readonly Numbered[]): ArrayBuffer {
  const length = all.reduce((sum, { document }) => sum + numberBytes + document.length, 0);
  const parcel = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const { number, document } of all) {
    at = parcel.writeUInt32LE(number, at);
    parcel.set(document, at);
    at += document.length;
  }
  return parcel.buffer;
}

/** Unpacks what `pack` has made; the documents share its bytes. */
export function* unpack(packed: ArrayBuffer): Generator<{ number: number; document: Buffer }> {
  const parcel = Buffer.from(packed);
  for (let at = 0; at < parcel.length;) {
    const from = at + numberBytes;
    const end = from + parcel.readInt32LE(from);
    yield { number: parcel.readUInt32LE(at), document: parcel.subarray(from, end) };
    at = end;
  }
}

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { bytesOf, documentOf, type Value } from '../bson/value.ts';
import { blob, type SqlRow } from './sqlite.ts';

/** From this size on a document is worth deflating: field names, ids and texts take a third of the space then. */
const smallestDeflated = 192;
/** The highest level gains a twentieth more and takes twice the time: some 30 µs for a document of 2 KB. */
const level = 1;
const headerBytes = 4;
/** Parts of documents that are shorter are no help. */
const shingle = 8;
const mostSampleBytes = 4_096;
/** The share of the others that hold a common part: a collection may have rows of two or three kinds by turns. */
const commonFrom = 0.25;

/** What the documents of a collection have in common. Once known it stays, for what was deflated with it needs it. */
export type Dictionary = { bytes: Buffer | undefined };

/**
 * The parts of the first document that stand in many of the others too: names of fields, and what is alike in texts. What few hold is left out, for a dictionary outlives the documents that it was learnt from.
 */
export function commonParts([first, ...others]: readonly Value[]): Buffer {
  const holders = new Map<string, number>();
  for (const other of others)
    for (const part of new Set(shinglesOf(other))) holders.set(part, (holders.get(part) ?? 0) + 1);
  const sample = first ? sampleOf(first) : Buffer.alloc(0);
  const common: number[] = [];
  let until = 0;
  for (let at = 0; at < sample.length; at += 1) {
    const held = holders.get(sample.toString('latin1', at, at + shingle)) ?? 0;
    if (held > 0 && held >= others.length * commonFrom) until = at + shingle;
    if (at < until) common.push(sample[at]!);
  }
  return Buffer.from(common);
}

const sampleOf = (document: Value): Buffer => bytesOf(document).subarray(0, mostSampleBytes);

function* shinglesOf(document: Value): Generator<string> {
  const sample = sampleOf(document);
  for (let at = 0; at + shingle <= sample.length; at += 1) yield sample.toString('latin1', at, at + shingle);
}

/**
 * The bytes in which a document is stored. A BSON document begins with its length; what is deflated begins with the
 * negative length of the document in it.
 */
export function storedBytes(document: Value, dictionary: Dictionary): Buffer {
  const bytes = bytesOf(document);
  if (dictionary.bytes === undefined || bytes.length < smallestDeflated) return bytes;
  const deflated = deflateRawSync(bytes, { level, dictionary: dictionary.bytes });
  if (headerBytes + deflated.length >= bytes.length) return bytes;
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeInt32LE(-bytes.length);
  return Buffer.concat([header, deflated]);
}

/** The bytes of a document, and by which dictionary they were made. */
export type Deflated = { readonly bytes: Buffer; readonly by: Buffer | undefined };

/** As `storedBytes`, to be written later: only while the collection still has that dictionary. */
export const deflated = (document: Value, dictionary: Dictionary): Deflated => ({
  bytes: storedBytes(document, dictionary),
  by: dictionary.bytes,
});

/** The document in a `doc` column. */
export function storedDocument(column: SqlRow[number] | undefined, dictionary: Dictionary): Value {
  const bytes = blob(column);
  const length = bytes.readInt32LE(0);
  if (length >= 0) return documentOf(bytes);
  const deflated = bytes.subarray(headerBytes);
  return documentOf(
    inflateRawSync(deflated, {
      dictionary: dictionary.bytes,
      maxOutputLength: -length,
      chunkSize: Math.max(64, -length),
    }),
  );
}

import { StoreError } from '../errors.ts';
import { documentOf, type Value } from '../bson/value.ts';

const opReply = 1;
const opQuery = 2004;
const opMsg = 2013;
const checksumPresent = 1;
const moreToCome = 2;
const knownRequiredFlags = checksumPresent | moreToCome;

/** Largest message that is accepted. */
export const maxMessageBytes = 48_000_000;

/** One request as it came over the wire. */
export type WireRequest = {
  requestId: number;
  /** The command document. */
  body: Value;
  /** Documents that came in sections of their own, by argument name. */
  sequences: Map<string, Value[]>;
  /** The legacy handshake wants a legacy answer. */
  isLegacy: boolean;
  /** Unacknowledged writes get no answer. */
  wantsReply: boolean;
  /** Name of the database where the legacy form carries it. */
  legacyDatabase: string | undefined;
};

function parseSequence(section: Buffer): [string, Value[]] {
  const nameEnd = section.indexOf(0, 4);
  const documents: Value[] = [];
  let at = nameEnd + 1;
  while (at < section.length) {
    const size = section.readInt32LE(at);
    if (size < 5 || at + size > section.length) throw new StoreError('ProtocolError', 'malformed document sequence');
    documents.push(documentOf(section.subarray(at, at + size)));
    at += size;
  }
  return [section.toString('utf8', 4, nameEnd), documents];
}

function parseMessage(message: Buffer, requestId: number): WireRequest {
  const flags = message.readUInt32LE(16);
  if ((flags & 0xffff & ~knownRequiredFlags) !== 0)
    throw new StoreError('ProtocolError', `unknown required flag bits in OP_MSG: ${flags}`);
  const end = message.length - (flags & checksumPresent ? 4 : 0);
  const sequences = new Map<string, Value[]>();
  let body: Value | undefined;
  let at = 20;
  while (at < end) {
    const kind = message[at]!;
    const size = message.readInt32LE(at + 1);
    if (size < 5 || at + 1 + size > end) throw new StoreError('ProtocolError', 'malformed section of OP_MSG');
    const section = message.subarray(at + 1, at + 1 + size);
    if (kind === 0) body = documentOf(section);
    else if (kind === 1) sequences.set(...parseSequence(section));
    else throw new StoreError('ProtocolError', `unknown section kind ${kind} of OP_MSG`);
    at += 1 + size;
  }
  if (body === undefined) throw new StoreError('ProtocolError', 'OP_MSG without a body');
  return {
    requestId,
    body,
    sequences,
    isLegacy: false,
    wantsReply: (flags & moreToCome) === 0,
    legacyDatabase: undefined,
  };
}

function parseLegacyQuery(message: Buffer, requestId: number): WireRequest {
  const nameEnd = message.indexOf(0, 20);
  const collection = message.toString('utf8', 20, nameEnd);
  if (!collection.endsWith('.$cmd'))
    throw new StoreError('ProtocolError', 'OP_QUERY is accepted for the handshake only');
  const at = nameEnd + 9;
  const body = documentOf(message.subarray(at, at + message.readInt32LE(at)));
  return {
    requestId,
    body,
    sequences: new Map(),
    isLegacy: true,
    wantsReply: true,
    legacyDatabase: collection.slice(0, -5),
  };
}

/** Reads one whole message. */
export function parseRequest(message: Buffer): WireRequest {
  const requestId = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  if (opCode === opMsg) return parseMessage(message, requestId);
  if (opCode === opQuery) return parseLegacyQuery(message, requestId);
  throw new StoreError('ProtocolError', `unsupported wire operation ${opCode}`);
}

let nextReplyId = 1;

/** Frames an answer; header and document are separate so that the document isn't copied. */
export function frameReply(request: WireRequest, document: Buffer): Buffer[] {
  const header = Buffer.alloc(request.isLegacy ? 36 : 21);
  header.writeInt32LE(header.length + document.length, 0);
  header.writeInt32LE(nextReplyId++ | 0, 4);
  header.writeInt32LE(request.requestId, 8);
  header.writeInt32LE(request.isLegacy ? opReply : opMsg, 12);
  if (request.isLegacy) {
    header.writeInt32LE(8, 16);
    header.writeInt32LE(1, 32);
  }
  return [header, document];
}

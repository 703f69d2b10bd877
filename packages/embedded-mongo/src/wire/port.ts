import type { MessagePort } from 'node:worker_threads';
import { documentOf } from '../bson/value.ts';
import { errorReply } from '../engine/reply-documents.ts';
import { StoreError } from '../errors.ts';
import type { WireRequest } from './message.ts';
import { pack, unpack, type Numbered } from './parcel.ts';

/** Answers one command; undefined where a socket would be cut. */
type Respond = (request: WireRequest, reply: (document: Buffer | undefined) => void) => void;

/** Answers the commands of a port. Answers given before the next microtask are sent together. */
export function servePort(port: MessagePort, respond: Respond): void {
  let answers: Numbered[] = [];
  const send = (): void => {
    const packed = pack(answers);
    answers = [];
    port.postMessage(packed, [packed]);
  };
  port.on('message', (packed: ArrayBuffer) => {
    for (const { number, document } of unpack(packed))
      respond(requestOf(number, document), (answer) => {
        if (answers.push({ number, document: answer ?? cut() }) === 1) queueMicrotask(send);
      });
  });
}

const cut = (): Buffer => errorReply(new StoreError('Interrupted', 'the command was cut off'));

const noSequences: WireRequest['sequences'] = new Map();

const requestOf = (requestId: number, document: Buffer): WireRequest => ({
  requestId,
  body: documentOf(document),
  sequences: noSequences,
  isLegacy: false,
  wantsReply: true,
  legacyDatabase: undefined,
});

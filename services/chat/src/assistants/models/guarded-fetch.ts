import type { OutboundClient } from '@parley/platform/outbound';
import { Readable, Transform } from 'node:stream';
import { ModelFailure } from './model-client.ts';
import { longestRefusal } from './model-server.ts';

/** An event of a stream is one line; Google's carry signatures of tens of kilobytes. */
const longestLine = 1_048_576;
const newline = 10;

/**
 * `fetch` for SDKs, by the guarded way out: POST of a text only, redirects are not followed, and no server can make
 * whoever reads hold a line without end.
 */
export function guardedFetch(outbound: OutboundClient): typeof fetch {
  return async (address, call) => {
    const text = call?.body;
    if (typeof address !== 'string' || call?.method !== 'POST' || typeof text !== 'string' || !call.signal)
      throw new Error('An SDK calls as it never did.');
    const { statusCode, headers, body } = await outbound.request(address, {
      method: 'POST',
      headers: Object.fromEntries(new Headers(call.headers)),
      body: text,
      signal: call.signal,
    });
    const isWhole = statusCode >= 200 && statusCode < 300;
    const bounded = isWhole ? boundedLines() : boundedText();
    // What goes wrong on the way reaches whoever reads; `pipe` alone would leave them waiting.
    body.once('error', (error) => bounded.destroy(error));
    bounded.once('close', () => body.destroy());
    body.pipe(bounded);
    const told = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return new Response(Readable.toWeb(bounded) as ReadableStream, { status: statusCode, headers: told });
  };
}

function boundedLines(): Transform {
  let length = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      const last = chunk.lastIndexOf(newline);
      length = last < 0 ? length + chunk.length : chunk.length - last - 1;
      if (length <= longestLine) return done(null, chunk);
      done(new ModelFailure('provider-error', 'The model server sent an event of over 1 MB.'));
    },
  });
}

/** The beginning of what a server says when it refuses; the rest is left. */
function boundedText(): Transform {
  let left = longestRefusal;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      this.push(chunk.subarray(0, left));
      left -= Math.min(left, chunk.length);
      if (left === 0) this.push(null);
      done();
    },
  });
}

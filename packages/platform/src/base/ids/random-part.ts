import { randomFillSync } from 'node:crypto';

let drawn = Buffer.alloc(4_096);
let used = drawn.length;

/**
 * So many of the system's random bytes, up to 64, for what has to be told apart or cannot be guessed for a moment: ids,
 * traces, nonces. They are drawn by the page: asking for each handful costs more than all else that an id is made of.
 * Secrets that are kept are drawn by themselves (`randomSecret`).
 */
export function randomPart(bytes: number): Buffer {
  if (used + bytes > drawn.length) {
    drawn = randomFillSync(Buffer.alloc(drawn.length));
    used = 0;
  }
  used += bytes;
  return drawn.subarray(used - bytes, used);
}

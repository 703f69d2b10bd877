import { randomFillSync } from 'node:crypto';

let drawn = Buffer.alloc(4_096);
let used = drawn.length;

/**
 * Returns random bytes of the system, up to 64, for ids, traces and nonces. They are drawn a page at a time, because
 * asking for each handful costs more than the rest of an id. Stored secrets are drawn one by one (`randomSecret`).
 */
export function randomPart(bytes: number): Buffer {
  if (used + bytes > drawn.length) {
    drawn = randomFillSync(Buffer.alloc(drawn.length));
    used = 0;
  }
  used += bytes;
  return drawn.subarray(used - bytes, used);
}

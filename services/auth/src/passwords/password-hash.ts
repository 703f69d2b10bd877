import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2Async = promisify(argon2);
/** OWASP ASVS 5.0 appendix C: argon2id with 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
/** Verified against when the account does not exist, so that both cases take as long. */
let decoy: Promise<string> | null = null;

/** `argon2id$<memory>$<passes>$<salt>$<tag>`; costs about 40 ms of one core. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await derive(password, salt, cost);
  return ['argon2id', cost.memory, cost.passes, salt.toString('base64url'), tag.toString('base64url')].join('$');
}

/** False for a wrong password, for a missing account (null) and for a damaged hash; always as slow as a right one. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const [algorithm, memory, passes, salt, tag] = (stored ?? (await decoy)).split('$');
  if (algorithm !== 'argon2id' || !salt || !tag) return false;
  const expected = Buffer.from(tag, 'base64url');
  const actual = await derive(password, Buffer.from(salt, 'base64url'), {
    ...cost,
    memory: Number(memory),
    passes: Number(passes),
  });
  return expected.length === actual.length && timingSafeEqual(expected, actual) && stored !== null;
}

async function derive(
  password: string,
  nonce: Buffer,
  { memory, passes, parallelism, tagLength }: typeof cost,
): Promise<Buffer> {
  return argon2Async('argon2id', { message: password.normalize('NFC'), nonce, memory, passes, parallelism, tagLength });
}
